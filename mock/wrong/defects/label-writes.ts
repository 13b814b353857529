import type { RuleId } from '../../../spec/rules.ts';
import type { LabelHolder } from '../../store/records.ts';
import { type Around, breaking, type Defect } from '../tampering/defect.ts';
import {
  asArray,
  asObject,
  errorWith,
  type Json,
  objectOf,
  withJson,
  withProperties,
} from '../tampering/json-value.ts';
import {
  alsoAfter,
  applying,
  carried,
  carryOut,
  drop,
  dropAnother,
  holdersIn,
  inLabels,
  isClosed,
  isSpare,
  keeping,
  knowing,
  type LabelWrite,
  labelsNow,
  labelWriteOf,
  onWrite,
  put,
  reachable,
  removing,
  shownAfter,
  wasCarried,
} from '../tampering/label-write.ts';
import { type Asked, instead, onReply, type Scene } from '../tampering/tamper.ts';
import { type AskedWhen, answering, onReplyTo, throttling, withText } from '../tampering/when.ts';

type Which = (write: LabelWrite) => unknown;

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
const refusing = (status: number, which: Which) => answering(writing(which), () => errorWith(status, 'CONFLICT'));
/** Labels that were applied over the API, without those of the fixtures. */
const isFresh: Which = ({ tenant, holder, label }) =>
  label !== undefined && !tenant.records.firstLabelsOf(holder).includes(label.id);

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

/** Loses a write if another label of the same holder was written up to 50 ms before. @param lose what is lost, of the two */
const racing =
  (which: Which, lose: (late: LabelWrite, early: LabelWrite) => void): Around =>
  (scene) => {
    const last = new Map<object, { readonly at: number; readonly write: LabelWrite }>();
    return alsoAfter(isSpare, (write) => {
      const [at, before] = [scene.mock.clock.now(), last.get(write.holder)];
      last.set(write.holder, { at, write });
      if (before && at - before.at <= 50 && before.write.label !== write.label && which(write))
        lose(write, before.write);
    })(scene);
  };

const holders = (['conversation', 'site', 'link'] as const).flatMap((on): Defect[] => [
  ...breaking('labels/apply-adds', {
    [`labels/apply-to-${on}-not-stored`]: withoutEffect(applying(on)),
    [`labels/apply-to-${on}-replaces`]: shownAfter(applying(on), alone),
    [`labels/two-applies-at-once-on-${on}`]: racing(applying(on), drop),
    [`labels/two-writers-overwrite-on-${on}`]: racing(applying(on), (_, early) => drop(early)),
  }),
  ...breaking('labels/remove-removes', {
    [`labels/remove-from-${on}-not-stored`]: withoutEffect(removing(on)),
    [`labels/remove-from-${on}-takes-all`]: shownAfter(removing(on), ({ tenant, holder }) =>
      tenant.setLabels(holder, []),
    ),
    [`labels/two-removals-at-once-on-${on}`]: racing(removing(on), put),
  }),
  ...breaking('labels/apply-is-idempotent', {
    [`labels/second-apply-to-${on}-409`]: refusing(409, both(applying(on), carried)),
    [`labels/second-apply-to-${on}-toggles`]: then((write, was) => applying(on)(write) && was, drop),
    [`labels/second-apply-to-${on}-drops-others`]: then((write, was) => applying(on)(write) && was, alone),
  }),
  ...breaking('labels/remove-is-idempotent', {
    [`labels/second-remove-from-${on}-404`]: refusing(404, (write) => removing(on)(write) && !carried(write)),
    [`labels/second-remove-from-${on}-toggles`]: then(
      (write, was) => removing(on)(write) && !was,
      (write) => carryOut({ ...write, does: 'apply' }),
    ),
  }),
  ...breaking('labels/membership-is-a-set', {
    [`labels/twice-on-${on}`]: knowing(wasCarried, (was) =>
      inLabels(on, 'apply', (labels, { label }) =>
        was() && label ? [...labels, { id: label.id, name: label.name }] : undefined,
      ),
    ),
  }),
  ...breaking('labels/private-cannot-be-applied', {
    [`labels/private-applied-to-${on}`]: reachable(applying(on), true),
    [`labels/private-apply-to-${on}-says-200`]: reachable(applying(on), false),
  }),
  ...breaking('labels/private-cannot-be-removed', {
    [`labels/private-removed-from-${on}`]: reachable(removing(on), true),
  }),
]);

const isOf =
  ({ label }: LabelWrite) =>
  (listed: Json) =>
    asObject(listed).id === label?.id;

/** The same faults for every reply with a documented set. */
const sets = (
  [
    ['applyConversationLabel', 'conversation', 'apply'],
    ['removeConversationLabel', 'conversation', 'remove'],
    ['applySiteLabel', 'site', 'apply'],
    ['removeClientSiteLabel', 'link', 'remove'],
  ] as const
).flatMap(([id, on, does]) =>
  breaking(`labels/${on}-${does}` as RuleId, {
    [`labels/${on}-${does}-answers-nothing`]: withText({ id, ok: true }, '{}'),
    [`labels/${on}-${does}-answers-no-list`]: onReplyTo({ id, ok: true }, ({ reply }) =>
      withJson(reply, Object.fromEntries(asArray(objectOf(reply).labels).entries())),
    ),
    [`labels/${on}-${does}-answers-one-label`]: inLabels(on, does, (labels, write) => labels.filter(isOf(write))),
    [`labels/${on}-${does}-answers-the-past`]: knowing(
      (write) => write && labelsNow(write),
      (before) => inLabels(on, does, before),
    ),
    [`labels/${on}-${does}-answers-all-but-the-first`]: inLabels(on, does, (labels, write) => {
      const other = labels.find((listed) => !isOf(write)(listed));
      return labels.filter((listed) => listed !== other);
    }),
  }),
);

/** Writes of labels that are lost, refused or do more than they should, or whose replies show other sets. */
export const labelWrites: readonly Defect[] = [
  ...holders,
  ...sets,
  ...breaking('labels/apply-adds', {
    'labels/apply-hits-a-neighbour': [
      'takes a label off the other conversation where it is applied to one',
      also(applying('conversation'), (write) => {
        for (const one of write.tenant.records.conversations.values())
          if (one !== write.holder && /^c000000.*0[12]$/.test(String(one.id))) drop({ ...write, holder: one });
      }),
    ],
    'labels/legacy-apply-not-stored': also(both(isLegacy, isApply), drop),
  }),
  ...breaking('labels/apply-is-idempotent', {
    'labels/second-apply-always-429': throttling(writing(both(isApply, carried))),
  }),
  ...breaking('labels/remove-removes', {
    'labels/legacy-remove-not-stored': also(both(isLegacy, isRemove), put),
    'labels/full-key-remove-not-stored': also((write, { key }) => isRemove(write) && key?.name === 'full', put),
    'labels/remove-loses-a-neighbour': then((write, was) => isRemove(write) && was, dropAnother),
    'labels/remove-carried-with-500': answeredWith(500, (write, was) => isRemove(write) && was),
  }),
  ...breaking('labels/remove-is-idempotent', {
    'labels/remove-absent-with-410': answeredWith(410, (write, was) => isRemove(write) && !was),
  }),
  ...breaking('labels/closed-conversation-can-be-labelled', {
    'labels/remove-works-for-open-alone': withoutEffect(both(removing('conversation'), isClosed)),
    'labels/closed-conversation-409': refusing(409, both(isApply, isClosed)),
    'labels/closed-conversation-ignored': withoutEffect(both(isApply, isClosed)),
    'labels/closed-conversation-keeps-labels': refusing(422, both(isRemove, isClosed, carried)),
    'labels/closed-removal-with-500': answeredWith(500, both(isRemove, isClosed)),
  }),
  ...breaking('labels/conversation-apply', {
    'labels/closed-apply-always-429': throttling(writing(both(isApply, isClosed))),
  }),
  ...breaking('labels/private-cannot-be-applied', {
    'labels/private-applied-before-it-is-refused': onReplyTo({ refused: /./ }, (answered) => {
      const write = labelWriteOf(answered);
      if (write?.label?.visibility !== 'private' || !applying('conversation')(write)) return undefined;
      carryOut(write);
      return errorWith(404, 'NOT_FOUND', 'There is no such label here.');
    }),
  }),
];

/** Contexts show the labels of some time ago. @param lagOf milliseconds, for the read of this number */
export const lagging =
  (lagOf: (read: number, asked: Asked) => number): Around =>
  (scene) => {
    const { tenants, clock } = scene.mock;
    const past = new Map<string, { readonly at: number; readonly labels: readonly string[] }[]>();
    const keep = (id: string) => {
      for (const tenant of tenants.values()) {
        const holder = tenant.conversations.get(id);
        const labels = holder && tenant.publicLabelsOf(holder).map(({ name }) => name);
        if (labels) past.set(id, [...(past.get(id) ?? []), { at: past.has(id) ? clock.now() : 0, labels }]);
      }
    };
    for (const { records } of tenants.values()) for (const id of records.conversations.keys()) keep(id);
    let reads = 0;
    return onReply((asked) => {
      const { id, params, reply, ok } = asked;
      if (id?.endsWith('ConversationLabel')) keep(params.id ?? '');
      if (id !== 'getConversationContext' || !ok) return undefined;
      const then = clock.now() - lagOf(reads++, asked);
      const labels = past.get(params.id ?? '')?.findLast(({ at }) => at <= then)?.labels;
      return labels && withProperties(reply, { labels });
    })(scene);
  };

/** Two instances, which serve requests in turn, and each of which keeps the public labels of its own requests. */
const twoInstances = (scene: Scene) => {
  let others = new Map<LabelHolder, Iterable<string>>();
  return instead(() => {
    const before = new Map<LabelHolder, Iterable<string>>();
    for (const { tenant, holder } of holdersIn(scene.mock)) {
      const isPrivate = (id: string) => tenant.records.labels.get(id)?.visibility === 'private';
      const labels = [...tenant.labelsOf(holder)];
      const next = [...(others.get(holder) ?? tenant.records.firstLabelsOf(holder))];
      before.set(holder, labels);
      tenant.setLabels(holder, [...labels.filter(isPrivate), ...next.filter((id) => !isPrivate(id))]);
    }
    others = before;
    scene.reached();
    return undefined;
  })(scene);
};

/** Deployments of several instances and replicas. */
export const replicas: readonly Defect[] = breaking('labels/apply-adds', {
  'labels/two-instances-in-turn': twoInstances,
  'labels/contexts-ten-seconds-behind': lagging(() => 10_000),
});
