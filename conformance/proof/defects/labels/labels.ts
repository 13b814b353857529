import { errorWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Answered, instead, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { fromCache } from '../../tampering/from-cache.ts';
import {
  alsoAfter,
  applying,
  carried,
  carryOut,
  isClosed,
  keeping,
  knowing,
  type LabelWrite,
  labelWriteOf,
  removing,
  shownAfter,
  wasCarried,
} from '../../tampering/label-write.ts';
import { withEtags } from '../../tampering/when.ts';
import { inLabels } from './label-replies.ts';

/** Undoes some writes: the reply is right, but there is no effect. */
const withoutEffect = (which: (write: LabelWrite) => boolean) =>
  knowing(
    (write) => (write !== undefined && which(write) ? keeping(write) : undefined),
    (undo) =>
      alsoAfter(
        () => undo() !== undefined,
        () => undo()?.(),
      ),
  );

/** Refuses some writes before they have an effect. */
const refusing = (status: number, which: (write: LabelWrite) => boolean) =>
  instead((asked) => {
    const write = asked.key?.revoked ? undefined : labelWriteOf(asked);
    if (write?.label?.visibility !== 'public' || !which(write)) return undefined;
    return errorWith(status, status === 404 ? 'NOT_FOUND' : 'CONFLICT');
  });

const holders = ['conversation', 'site', 'link'] as const;

const everywhere = holders.flatMap((on): Defect[] => [
  {
    id: `labels/apply-to-${on}-not-stored`,
    breaks: 'labels/apply-adds',
    does: `answers an apply to a ${on} as it should, and stores nothing`,
    around: withoutEffect(applying(on)),
  },
  {
    id: `labels/remove-from-${on}-not-stored`,
    breaks: 'labels/remove-removes',
    does: `takes a removed label out of the reply for a ${on}, and leaves it in the store`,
    around: withoutEffect(removing(on)),
  },
  {
    id: `labels/second-apply-to-${on}-409`,
    breaks: 'labels/apply-is-idempotent',
    does: `answers 409 where a ${on} carries the label already`,
    around: refusing(409, (write) => applying(on)(write) && carried(write)),
  },
  {
    id: `labels/second-remove-from-${on}-404`,
    breaks: 'labels/remove-is-idempotent',
    does: `answers 404 where a ${on} does not carry the label`,
    around: refusing(404, (write) => removing(on)(write) && !carried(write)),
  },
  {
    id: `labels/twice-on-${on}`,
    breaks: 'labels/membership-is-a-set',
    does: `lists a label twice after it was applied to a ${on} twice`,
    around: (scene) => {
      const applied = new Set<object>();
      return inLabels(on, 'apply', (labels, { holder, label }) => {
        const again = applied.has(holder);
        applied.add(holder);
        return again && label ? [...labels, { id: label.id, name: label.name }] : undefined;
      })(scene);
    },
  },
]);

/** A switch in place of a set: the second apply removes the label, or the second removal applies it. */
const toggling = (does: LabelWrite['does']) =>
  knowing(wasCarried, (was) =>
    shownAfter(
      (write) => write.does === does && was() === (does === 'apply'),
      (write) => carryOut({ ...write, does: does === 'apply' ? 'remove' : 'apply' }),
    ),
  );

export const labels: readonly Defect[] = [
  ...everywhere,
  ...breaking('labels/apply-adds', {
    'labels/apply-replaces': [
      'puts the applied label in the place of all others',
      shownAfter(
        applying('conversation'),
        ({ tenant, holder, label }) => label && tenant.setLabels(holder, [label.id]),
      ),
    ],
    'labels/contexts-from-two-replicas': [
      'answers every second read of a context from a replica that is three seconds behind',
      (scene) => {
        const earlier = new Map<string, { readonly at: number; readonly reply: Answered['reply'] }[]>();
        let turn = 0;
        return onReply(({ id, ok, request, reply, mock }) => {
          if (id !== 'getConversationContext' || !ok) return undefined;
          const replies = earlier.get(request.url) ?? [];
          earlier.set(request.url, replies);
          replies.push({ at: mock.clock.now(), reply });
          turn++;
          return turn % 2 === 0 ? undefined : replies.findLast(({ at }) => at <= mock.clock.now() - 3_000)?.reply;
        })(scene);
      },
    ],
    'labels/context-cached-for-seconds': [
      'keeps the context of a conversation for two and a half seconds, whatever is written',
      fromCache({
        keeps: { id: 'getConversationContext', ok: true },
        answers: { id: 'getConversationContext', ok: true },
        milliseconds: 2_500,
      }),
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
  }),
  ...breaking('labels/apply-is-idempotent', {
    'labels/apply-twice-500': [
      'breaks on a unique index where a label is applied to a site a second time',
      refusing(500, (write) => applying('site')(write) && carried(write)),
    ],
    'labels/second-apply-drops-others': [
      'loses the other labels when a label is applied through the API a second time',
      (scene) => {
        const carriers = new Set<object>();
        const isRepeated = ({ does, holder, label }: LabelWrite) => {
          if (label === undefined || holder.seededLabels.includes(label.id)) return false;
          const wasCarried = carriers.delete(holder);
          if (does === 'apply') carriers.add(holder);
          return does === 'apply' && wasCarried;
        };
        return shownAfter(
          isRepeated,
          ({ tenant, holder, label }) => label && tenant.setLabels(holder, [label.id]),
        )(scene);
      },
    ],
  }),
  {
    // The reply to the removal is the first to show the defect.
    id: 'labels/remove-takes-all',
    breaks: 'labels/conversation-remove',
    does: 'takes all labels off a conversation where one is removed',
    around: shownAfter(removing('conversation'), ({ tenant, holder }) => tenant.setLabels(holder, [])),
  },
  ...breaking('labels/remove-removes', {
    'labels/remove-works-once': [
      'removes a label from a conversation the first time, and then never again',
      (scene) => {
        let done = false;
        return withoutEffect((write) => {
          const again = done && removing('conversation')(write);
          if (removing('conversation')(write) && carried(write)) done = true;
          return again;
        })(scene);
      },
    ],
  }),
  ...breaking('labels/closed-conversation-can-be-labelled', {
    'labels/remove-works-for-open-alone': [
      'removes a label from open conversations, and for closed ones only says that it did',
      withoutEffect((write) => removing('conversation')(write) && isClosed(write)),
    ],
    'labels/closed-conversation-409': [
      'answers 409 where a closed conversation is labelled',
      refusing(409, (write) => write.does === 'apply' && isClosed(write)),
    ],
    'labels/closed-conversation-ignored': [
      'answers as if a closed conversation had been labelled, and stores nothing',
      withoutEffect((write) => write.does === 'apply' && isClosed(write)),
    ],
    'labels/closed-conversation-keeps-labels': [
      'answers 422 where a label of a closed conversation is removed',
      refusing(422, (write) => write.does === 'remove' && isClosed(write) && carried(write)),
    ],
  }),
  ...breaking('labels/remove-is-idempotent', {
    'labels/etag-without-labels': [
      'gives a context the ETag of its conversation, which labels do not change, and answers 304 to it',
      withEtags({ id: 'getConversationContext', ok: true }, ({ params }) => `${params.id}-7`),
    ],
    'labels/remove-twice-toggles': ['applies a label when it is to be removed and is not carried', toggling('remove')],
  }),
];
