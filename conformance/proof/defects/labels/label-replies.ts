import {
  asArray,
  asObject,
  errorWith,
  type Json,
  objectOf,
  withJson,
  withProperties,
} from '../../../../mock/proof/tampering/json-value.ts';
import { type Answered, instead, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import type { PublicLabel } from '../../../../mock/store/tenant.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { type LabelWrite, labelWriteOf } from '../../tampering/label-write.ts';

type On = LabelWrite['on'];

/** Changes the labels in the replies to some label writes. */
export const inLabels = (
  on: On | 'any',
  does: LabelWrite['does'] | 'any',
  change: (labels: readonly Json[], write: LabelWrite, answered: Answered) => readonly Json[] | undefined,
) =>
  onReply((answered) => {
    const write = answered.ok ? labelWriteOf(answered) : undefined;
    if (write === undefined || (on !== 'any' && write.on !== on) || (does !== 'any' && write.does !== does))
      return undefined;
    const labels = change(asArray(objectOf(answered.reply).labels), write, answered);
    return labels === undefined ? undefined : withProperties(answered.reply, { labels });
  });

const idOf = (label: Json) => asObject(label).id;

/** Leaves out the first label that the first conversation of the tenant carries. */
const listsWithoutCarried = (when: (answered: Answered) => boolean) =>
  onReply((answered) => {
    const { id, ok, key, mock, reply } = answered;
    const tenant = mock.tenants.get(key?.tenant ?? '');
    const [conversation] = tenant?.conversations.values() ?? [];
    if (id !== 'listLabels' || !ok || !tenant || !conversation || !when(answered)) return undefined;
    const [first] = tenant.publicLabelsOf(conversation);
    return withProperties(reply, {
      labels: asArray(objectOf(reply).labels).filter((label) => idOf(label) !== first?.id),
    });
  });

/** Replies with the labels before the write. */
const staleFor = (on: On, does: LabelWrite['does']) => (scene: Parameters<ReturnType<typeof instead>>[0]) => {
  const before = new Map<object, PublicLabel[]>();
  const inner = inLabels(on, does, (_, { holder }) => before.get(holder)?.map(({ id, name }) => ({ id, name })));
  const outer = inner(scene);
  return instead((asked) => {
    const write = labelWriteOf(asked);
    if (write !== undefined) before.set(write.holder, write.tenant.publicLabelsOf(write.holder));
    return undefined;
  })({ ...scene, handle: outer });
};

const rules = {
  'conversation apply': 'labels/conversation-apply',
  'conversation remove': 'labels/conversation-remove',
  'site apply': 'labels/site-apply',
  'link remove': 'labels/link-remove',
} as const;

/** The same faults for every reply with a documented set. */
const perOperation = Object.entries(rules).flatMap(([pair, breaks]): Defect[] => {
  const [on, does] = pair.split(' ') as [On, LabelWrite['does']];
  const where = `${does === 'apply' ? 'to' : 'from'} a ${on}`;
  return [
    {
      id: `labels/${on}-${does}-answers-nothing`,
      breaks,
      does: `answers ${does} ${where} with an empty object`,
      around: onReply((answered) =>
        answered.ok && labelWriteOf(answered)?.on === on && labelWriteOf(answered)?.does === does
          ? withJson(answered.reply, {})
          : undefined,
      ),
    },
    {
      id: `labels/${on}-${does}-answers-one-label`,
      breaks,
      does: `answers ${does} ${where} with at most the label in question, not with all that are carried`,
      around: inLabels(on, does, (labels, { label }) => labels.filter((one) => idOf(one) === label?.id)),
    },
    {
      id: `labels/${on}-${does}-answers-the-past`,
      breaks,
      does: `answers ${does} ${where} with the labels before the change`,
      around: staleFor(on, does),
    },
    {
      id: `labels/${on}-${does}-answers-all-but-the-first`,
      breaks,
      does: `leaves one of the other labels out of the reply to ${does} ${where}`,
      around: inLabels(on, does, (labels, { label }) => {
        const other = labels.find((one) => idOf(one) !== label?.id);
        return labels.filter((one) => one !== other);
      }),
    },
    {
      id: `labels/${on}-${does}-answers-202`,
      breaks,
      does: `answers ${does} ${where} with 202 and an empty body, and does it all the same`,
      around: onReply((answered) =>
        answered.ok && labelWriteOf(answered)?.on === on && labelWriteOf(answered)?.does === does
          ? { ...answered.reply, status: 202, body: '' }
          : undefined,
      ),
    },
  ];
});

export const labelReplies: readonly Defect[] = [
  ...perOperation,
  ...(['conversation', 'link'] as const).map(
    (on): Defect => ({
      id: `labels/${on}-remove-answers-no-list`,
      breaks: rules[`${on} remove`],
      does: `answers remove from a ${on} with the labels as properties of an object, not as a list`,
      around: onReply((answered) => {
        const write = answered.ok ? labelWriteOf(answered) : undefined;
        if (write?.on !== on || write.does !== 'remove') return undefined;
        return withJson(answered.reply, Object.fromEntries(asArray(objectOf(answered.reply).labels).entries()));
      }),
    }),
  ),
  ...breaking('labels/site-apply', {
    'labels/site-apply-is-501': [
      'answers PUT of a label of a site with 501',
      instead(({ id }) => (id === 'applySiteLabel' ? errorWith(501, 'NOT_IMPLEMENTED') : undefined)),
    ],
  }),
  ...breaking('labels/site-label-set', {
    'labels/site-set-without-site-id': [
      'leaves siteId out of the label set of a site',
      onReply((answered) =>
        answered.ok && labelWriteOf(answered)?.on === 'site'
          ? withProperties(answered.reply, { siteId: undefined })
          : undefined,
      ),
    ],
    'labels/site-id-is-a-number': [
      'answers the siteId of a legacy site as a number',
      onReply((answered) => {
        const { siteId } = objectOf(answered.reply);
        return answered.ok && labelWriteOf(answered)?.on === 'site' && /^\d+$/.test(String(siteId))
          ? withProperties(answered.reply, { siteId: Number(siteId) })
          : undefined;
      }),
    ],
    'labels/site-labels-are-ids': [
      'answers the labels of a site as ids',
      inLabels('site', 'any', (labels) => labels.map((label) => idOf(label) ?? null)),
    ],
    'labels/site-labels-by-id': [
      'answers the labels of a site as an object by id',
      onReply((answered) => {
        if (!answered.ok || labelWriteOf(answered)?.on !== 'site') return undefined;
        const labels = asArray(objectOf(answered.reply).labels);
        return withProperties(answered.reply, {
          labels: Object.fromEntries(labels.map((label) => [String(idOf(label)), label])),
        });
      }),
    ],
    'labels/site-set-bare-after-last-removal': [
      'answers a bare array where a label of a site was applied, and the set nowhere else',
      onReply((answered) =>
        answered.ok && answered.id === 'applySiteLabel'
          ? withJson(answered.reply, asArray(objectOf(answered.reply).labels))
          : undefined,
      ),
    ],
  }),
  ...breaking('labels/listing-gives-public-labels', {
    'labels/listing-is-empty': [
      'lists no labels',
      onReply(({ id, ok, reply }) => (id === 'listLabels' && ok ? withProperties(reply, { labels: [] }) : undefined)),
    ],
    'labels/listing-lacks-carried': ['does not list a label that records carry', listsWithoutCarried(() => true)],
    'labels/listing-lacks-carried-by-them': [
      'does not list a label that records of the second tenant carry',
      listsWithoutCarried(({ key }) => key?.tenant === 'globex'),
    ],
    'labels/listing-lacks-carried-at-first': [
      'does not list a label that records carry, for the first five seconds of each day',
      listsWithoutCarried(({ mock }) => mock.clock.now() % 86_400_000 < 5_000),
    ],
    'labels/listing-lacks-one': [
      'lists all public labels but the one that nothing carries',
      onReply(({ id, ok, reply }) =>
        id === 'listLabels' && ok
          ? withProperties(reply, {
              labels: asArray(objectOf(reply).labels).filter((label) => asObject(label).name !== 'spare'),
            })
          : undefined,
      ),
    ],
    'labels/listing-lacks-one-now-and-then': [
      'lists all public labels but the first in every third reply',
      (scene) => {
        let lists = 0;
        return onReply(({ id, ok, reply }) =>
          id === 'listLabels' && ok && ++lists % 3 === 2
            ? withProperties(reply, { labels: asArray(objectOf(reply).labels).slice(1) })
            : undefined,
        )(scene);
      },
    ],
    'labels/listing-has-names-alone': [
      'lists names of labels without their ids',
      onReply(({ id, ok, reply }) =>
        id === 'listLabels' && ok
          ? withProperties(reply, {
              labels: asArray(objectOf(reply).labels).map((label) => asObject(label).name ?? null),
            })
          : undefined,
      ),
    ],
    'labels/listing-has-numeric-ids': [
      'lists labels with numbers for ids',
      onReply(({ id, ok, reply }) =>
        id === 'listLabels' && ok
          ? withProperties(reply, {
              labels: asArray(objectOf(reply).labels).map((label, index) => ({ ...asObject(label), id: index + 1 })),
            })
          : undefined,
      ),
    ],
  }),
];
