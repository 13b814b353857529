import { errorWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, onRequest, type Scene } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { fromCache } from '../../tampering/from-cache.ts';
import {
  alsoAfter,
  applying,
  carried,
  carryOut,
  drop,
  dropAnother,
  inLabels,
  isClosed,
  keeping,
  knowing,
  type LabelWrite,
  labelWriteOf,
  onWrite,
  put,
  removing,
  shownAfter,
  wasCarried,
} from '../../tampering/label-write.ts';
import { describedAs, oneSpare, twoLinks } from '../../tampering/targets.ts';
import {
  type AskedWhen,
  answering,
  endConnection,
  failing,
  readingUrl,
  throttling,
  withEtags,
} from '../../tampering/when.ts';

type Which = (write: LabelWrite) => unknown;

const isSpare: Which = ({ label }) => /^1abe100[89]-.*00[89]$/.test(label?.id ?? '');
const isLegacy: Which = ({ holder }) => 'id' in holder && String(holder.id) === '10042';
const isApply: Which = ({ does }) => does === 'apply';
const isRemove: Which = ({ does }) => does === 'remove';
const both =
  (...all: readonly Which[]): Which =>
  (write) =>
    all.every((which) => which(write));

/** Undoes some writes: the reply is right, but there is no effect. */
const withoutEffect = (which: Which) =>
  knowing(
    (write) => (write !== undefined && which(write) ? keeping(write) : undefined),
    (undo) =>
      alsoAfter(
        () => undo() !== undefined,
        () => undo()?.(),
      ),
  );

/** Adds a side effect to some writes of spare labels. */
const also = (which: Parameters<typeof alsoAfter>[0], more: Parameters<typeof alsoAfter>[1]) =>
  alsoAfter((write, answered) => isSpare(write) && which(write, answered), more);

/** Lawful writes of public labels. */
const writing = (which: Which): AskedWhen => ({
  usable: true,
  where: (asked) => {
    const write = labelWriteOf(asked);
    return write?.label?.visibility === 'public' && which(write);
  },
});

/** Refuses some writes before they have an effect. */
const refusing = (status: number, which: Which) =>
  answering(writing(which), () => errorWith(status, status === 404 ? 'NOT_FOUND' : 'CONFLICT'));
const throttled = (which: Which) => throttling(writing(which));
const reset = (which: Which) => (scene: Scene) => answering(writing(which), () => endConnection(scene))(scene);

/** Labels that were applied over the API, without those of the fixtures. */
const isFresh: Which = ({ holder, label }) => label !== undefined && !holder.seededLabels.includes(label.id);
/** Whether a label is none of the spare labels of the tenant under test. */
const isFromInside: Which = (write) => write.tenant.name === 'acme' && !isSpare(write);

/** After a successful write the store changes once more, and the reply shows the changed set. */
const then = (which: (write: LabelWrite, was: boolean) => unknown, more: (write: LabelWrite) => void) =>
  knowing(wasCarried, (was) => shownAfter((write) => isFresh(write) && which(write, was()), more));

const alone = ({ tenant, holder, label }: LabelWrite) => label && tenant.setLabels(holder, [label.id]);

/** Answers some writes with a wrong status and the right body. */
const answeredWith = (status: number, which: (write: LabelWrite, was: boolean) => unknown) =>
  knowing(wasCarried, (was) =>
    onWrite(
      (write) => isFresh(write) && which(write, was()),
      (_, { reply }) => ({ ...reply, status }),
    ),
  );

/** Remembers the last write of a spare label to each record, for as long as this. */
const remembering = (milliseconds: number) => {
  const last = new Map<object, { readonly at: number; readonly write: LabelWrite }>();
  return (write: LabelWrite, at: number): LabelWrite | undefined => {
    const before = last.get(write.holder);
    last.set(write.holder, { at, write });
    return before && at - before.at <= milliseconds && before.write.label !== write.label ? before.write : undefined;
  };
};

/** Loses a write if another label of the same holder was written up to 50 ms before. */
const losing = (does: LabelWrite['does'], on: LabelWrite['on']) => (scene: Scene) => {
  const before = remembering(50);
  return alsoAfter(
    (write) => isSpare(write) && write.on === on && before(write, scene.mock.clock.now()) && write.does === does,
    does === 'apply' ? drop : put,
  )(scene);
};

/** A write reads the whole set, changes it and writes it back, so that a concurrent one is lost. */
const overwriting = (on: LabelWrite['on']) => (scene: Scene) => {
  const before = remembering(50);
  return onWrite(both(applying(on), isSpare), (write, { mock }) => {
    const lost = before(write, mock.clock.now());
    if (lost !== undefined && carried(lost)) scene.reached();
    if (lost !== undefined) drop(lost);
    return undefined;
  })(scene);
};

const context = { id: 'getConversationContext', ok: true } as const;

const everywhere = (['conversation', 'site', 'link'] as const).flatMap((on): Defect[] => [
  ...breaking('labels/apply-adds', {
    [`labels/apply-to-${on}-not-stored`]: withoutEffect(applying(on)),
    [`labels/two-applies-at-once-on-${on}`]: losing('apply', on),
    [`labels/two-writers-with-one-spare-on-${on}`]: [
      `overwrites the labels of a ${on} with an earlier copy, and so loses one that was applied up to 50 ms before`,
      overwriting(on),
      oneSpare,
    ],
  }),
  ...breaking('labels/remove-removes', {
    [`labels/remove-from-${on}-not-stored`]: withoutEffect(removing(on)),
    [`labels/two-removals-at-once-on-${on}`]: losing('remove', on),
  }),
  ...breaking('labels/apply-is-idempotent', {
    [`labels/second-apply-to-${on}-409`]: refusing(409, both(applying(on), carried)),
  }),
  ...breaking('labels/remove-is-idempotent', {
    [`labels/second-remove-from-${on}-404`]: refusing(404, (write) => removing(on)(write) && !carried(write)),
  }),
  ...breaking('labels/membership-is-a-set', {
    [`labels/twice-on-${on}`]: (scene) => {
      const applied = new Set<object>();
      return inLabels(on, 'apply', (labels, { holder, label }) => {
        const again = applied.has(holder);
        applied.add(holder);
        return again && label ? [...labels, { id: label.id, name: label.name }] : undefined;
      })(scene);
    },
  }),
]);

const doneWith500 = (
  [
    ['labels/apply-adds', isApply],
    ['labels/conversation-apply', applying('conversation')],
    ['labels/site-apply', applying('site')],
    ['labels/conversation-remove', removing('conversation')],
    ['labels/link-remove', removing('link')],
    ['labels/closed-conversation-can-be-labelled', both(isRemove, isClosed)],
  ] as const
).flatMap(([breaks, which]) => breaking(breaks, { [`${breaks}-done-with-500`]: answeredWith(500, which) }));

/** Writes that are lost, refused or do more than they should. */
export const writes: readonly Defect[] = [
  ...everywhere,
  ...doneWith500,
  ...breaking('labels/apply-adds', {
    'labels/apply-replaces': shownAfter(applying('conversation'), alone),
    'labels/apply-takes-a-place': [
      'takes another label off when a new one is applied, and puts it back when the new one is removed',
      (scene) => {
        const displaced = new Map<object, LabelWrite['label']>();
        return then(
          ({ does }, was) => (does === 'apply') !== was,
          (write) => {
            if (write.does === 'remove') put({ ...write, label: displaced.get(write.holder) });
            else displaced.set(write.holder, dropAnother(write) ?? displaced.get(write.holder));
          },
        )(scene);
      },
    ],
    'labels/apply-works-once': [
      'applies a label to a conversation the first time, and after it was removed never again',
      (scene) => {
        const removed = new Set<object>();
        return withoutEffect((write) => {
          if (write.does === 'remove') removed.add(write.holder);
          return applying('conversation')(write) && removed.has(write.holder);
        })(scene);
      },
    ],
    'labels/apply-hits-a-neighbour': [
      'takes a label off the other conversation where it is applied to one',
      also(applying('conversation'), (write) => {
        const { tenant, holder } = write;
        for (const one of tenant.conversations.values())
          if (one !== holder && /^c000000.*0[12]$/.test(String(one.id))) drop({ ...write, holder: one });
      }),
    ],
    'labels/gone-after-a-second': [
      'shows a label for half a second after it was applied to a conversation, and then no more',
      (scene) => {
        const { clock } = scene.mock;
        const due: { readonly at: number; readonly write: LabelWrite }[] = [];
        const handle = also(applying('conversation'), (write) => due.push({ at: clock.now() + 500, write }))(scene);
        return (request, trace) => {
          while (due[0] !== undefined && due[0].at <= clock.now()) drop((due.shift() ?? due[0]).write);
          return handle(request, trace);
        };
      },
    ],
    'labels/remove-hits-links-of-the-client': [
      'takes a label off every link of a client where it is removed from one',
      also(removing('link'), (write) => {
        for (const holder of write.tenant.links.values())
          if ('client' in write.holder && holder.client === write.holder.client) drop({ ...write, holder });
      }),
      twoLinks,
    ],
    'labels/legacy-apply-not-stored': also(both(isLegacy, isApply), drop),
    'labels/not-stored-with-a-body': alsoAfter((write, { request }) => isApply(write) && request.body !== null, drop),
    'labels/holder-by-pattern': readingUrl(/^(\/v1\/site\/ovaid-[\w-]{35})_(?=\/label\/)/, '$11'),
    'labels/context-cached-for-seconds': fromCache({ keeps: context, answers: context, milliseconds: 2_500 }),
    'labels/context-cached-for-thirty-seconds': [
      'keeps the context of a conversation for thirty seconds, where replies may be a second late',
      fromCache({ keeps: context, answers: context, milliseconds: 30_000 }),
      (target) => ({ ...target, settleMilliseconds: 1_000 }),
    ],
  }),
  ...breaking('labels/apply-is-idempotent', {
    'labels/apply-twice-500': refusing(500, both(applying('site'), carried)),
    'labels/fresh-apply-twice-toggles': then((write, was) => isApply(write) && was, drop),
    'labels/second-apply-drops-others': then((write, was) => isApply(write) && was, alone),
    'labels/second-apply-always-429': throttled(both(isApply, carried)),
    'labels/carried-from-inside-is-409': knowing(wasCarried, (was) =>
      onWrite(
        (write) => isApply(write) && was() && isFromInside(write),
        () => errorWith(409, 'CONFLICT'),
      ),
    ),
    'labels/carried-from-inside-is-toggled': knowing(wasCarried, (was) =>
      alsoAfter((write) => isApply(write) && was() && isFromInside(write), drop),
    ),
    'labels/applied-again-is-304': answering(
      { id: 'applyConversationLabel', holds: 'conversation:write', ...writing(carried) },
      () => ({ status: 304, headers: {}, body: null }),
    ),
    'labels/applied-twice-at-once-is-500': [
      'answers 500 where a label was applied to the same site up to 20 ms before',
      (scene) => {
        const appliedAt = new Map<string, number>();
        const isAtOnce = ({ params: { id, labelId }, mock }: Asked) => {
          const now = mock.clock.now();
          const before = appliedAt.get(`${id} ${labelId}`) ?? 0;
          appliedAt.set(`${id} ${labelId}`, now);
          return now - before < 20;
        };
        return failing({ id: 'applySiteLabel', ok: true, where: isAtOnce }, 500)(scene);
      },
    ],
  }),
  ...breaking('labels/conversation-remove', {
    // The reply to the removal is the first to show the defect.
    'labels/remove-takes-all': shownAfter(removing('conversation'), ({ tenant, holder }) =>
      tenant.setLabels(holder, []),
    ),
  }),
  ...breaking('labels/remove-removes', {
    'labels/legacy-remove-not-stored': also(both(isLegacy, isRemove), put),
    'labels/full-key-remove-not-stored': also((write, { key }) => isRemove(write) && key?.name === 'full', put),
    'labels/not-removed-with-authorization': alsoAfter(
      (write, { request }) => isRemove(write) && request.headers.authorization !== undefined,
      put,
    ),
    'labels/remove-loses-a-neighbour': then((write, was) => isRemove(write) && was, dropAnother),
    'labels/remove-carried-with-500': answeredWith(500, (write, was) => isRemove(write) && was),
  }),
  ...breaking('labels/remove-is-idempotent', {
    'labels/remove-absent-with-410': answeredWith(410, (write, was) => isRemove(write) && !was),
    'labels/idle-remove-always-reset': reset((write) => isRemove(write) && !carried(write)),
    'labels/remove-twice-toggles': knowing(wasCarried, (was) =>
      shownAfter(
        (write) => isRemove(write) && !was(),
        (write) => carryOut({ ...write, does: 'apply' }),
      ),
    ),
    'labels/etag-without-labels': [
      'gives a context the ETag of its conversation, which labels do not change, and answers 304 to it',
      withEtags(context, ({ params }) => `${params.id}-7`),
    ],
  }),
  ...breaking('labels/closed-conversation-can-be-labelled', {
    'labels/remove-works-for-open-alone': withoutEffect(both(removing('conversation'), isClosed)),
    'labels/closed-conversation-409': refusing(409, both(isApply, isClosed)),
    'labels/closed-conversation-ignored': withoutEffect(both(isApply, isClosed)),
    'labels/closed-conversation-keeps-labels': refusing(422, both(isRemove, isClosed, carried)),
  }),
  ...breaking('labels/membership-is-a-set', {
    'labels/applies-are-counted': [
      'counts how often a label was applied, and takes it off after as many removals',
      (scene) => {
        const counts = new Map<object, number>();
        return then(({ does, holder }) => {
          const count = Math.max(0, (counts.get(holder) ?? 0) + (does === 'apply' ? 1 : -1));
          counts.set(holder, count);
          return does === 'remove' && count > 0;
        }, put)(scene);
      },
    ],
    'labels/label-by-pattern': readingUrl(/(\/label\/1abe1[\w-]{30})_$/, '$18'),
  }),
  ...breaking('labels/conversation-apply', {
    'labels/closed-apply-always-429': throttled(both(isApply, isClosed)),
    'labels/closed-apply-always-reset': reset(both(isApply, isClosed)),
  }),
  ...breaking('labels/site-apply', {
    'labels/site-apply-is-post': [
      'applies a label to a site by POST, as its target file says',
      onRequest(({ request }) =>
        request.method === 'POST' && /^\/v1\/site\/[^/]+\/label\//.test(request.url)
          ? { ...request, method: 'PUT' }
          : undefined,
      ),
      describedAs({
        applySiteLabel: { method: 'POST', path: '/v1/site/{id}/label/{labelId}', scopes: ['site:write'] },
      }),
    ],
  }),
];
