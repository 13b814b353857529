import {
  asArray,
  asObject,
  type Json,
  objectOf,
  withJson,
  withProperties,
} from '../../../../mock/proof/tampering/json-value.ts';
import type { Answered, Scene } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { knowing, type LabelWrite, labelsNow, onWrite, wasCarried } from '../../tampering/label-write.ts';
import { late } from '../../tampering/timing.ts';
import {
  chain,
  inListed,
  inReply,
  onReplyTo,
  refusing,
  type When,
  withStatus,
  withText,
} from '../../tampering/when.ts';
import { wrongValue } from '../../tampering/wrong-value.ts';

type On = LabelWrite['on'];

/** Changes the labels in the replies to some label writes. */
export const inLabels = (
  on: On | 'any',
  does: LabelWrite['does'] | 'any',
  change: (labels: readonly Json[], write: LabelWrite, answered: Answered) => readonly Json[] | undefined,
) =>
  onWrite(
    (write) => (on === 'any' || write.on === on) && (does === 'any' || write.does === does),
    (write, answered) => {
      const labels = change(asArray(objectOf(answered.reply).labels), write, answered);
      return labels && withProperties(answered.reply, { labels });
    },
  );

const idOf = (label: Json) => asObject(label).id;

/** Leaves out the first label that the first conversation of the tenant carries. */
const listsWithoutCarried = (when: When = {}) =>
  inReply({ id: 'listLabels', ok: true, ...when }, ({ labels }, { key, mock }) => {
    const tenant = mock.tenants.get(key?.tenant ?? '');
    const [conversation] = tenant?.conversations.values() ?? [];
    const [first] = (conversation && tenant?.publicLabelsOf(conversation)) ?? [];
    return { labels: asArray(labels).filter((label) => idOf(label) !== first?.id) };
  });

/** Replies with the labels before the write. */
const staleFor = (on: On, does: LabelWrite['does']) =>
  knowing(
    (write) => write && labelsNow(write),
    (labelsBefore) => inLabels(on, does, labelsBefore),
  );

/** Answers an apply of a label that is carried with the set that the first apply showed. */
const firstReplyAgain = (scene: Scene) => {
  const shown = new Map<string, readonly Json[]>();
  return knowing(wasCarried, (isCarried) =>
    inLabels('conversation', 'apply', (labels, _, { request: { url } }) => {
      const first = isCarried() ? shown.get(url) : undefined;
      if (first === undefined) shown.set(url, labels);
      return first;
    }),
  )(scene);
};

const rules = {
  applyConversationLabel: ['conversation', 'apply', 'labels/conversation-apply'],
  removeConversationLabel: ['conversation', 'remove', 'labels/conversation-remove'],
  applySiteLabel: ['site', 'apply', 'labels/site-apply'],
  removeClientSiteLabel: ['link', 'remove', 'labels/link-remove'],
} as const;

/** The same faults for every reply with a documented set. */
const perOperation = Object.entries(rules).flatMap(([name, [on, does, breaks]]): Defect[] => {
  const id = name as keyof typeof rules;
  const where = `${does === 'apply' ? 'to' : 'from'} a ${on}`;
  return [
    {
      id: `labels/${on}-${does}-answers-nothing`,
      breaks,
      does: `answers ${does} ${where} with an empty object`,
      around: withText({ id, ok: true }, '{}'),
    },
    {
      id: `labels/${on}-${does}-answers-one-label`,
      breaks,
      does: `answers ${does} ${where} with at most the label in question, not with all that are carried`,
      around: inLabels(on, does, (labels, { label }) => labels.filter((listed) => idOf(listed) === label?.id)),
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
        const other = labels.find((listed) => idOf(listed) !== label?.id);
        return labels.filter((listed) => listed !== other);
      }),
    },
    {
      id: `labels/${on}-${does}-answers-202`,
      breaks,
      does: `answers ${does} ${where} with 202 and an empty body, and does it all the same`,
      around: chain(withText({ id, ok: true }, ''), withStatus({ id, ok: true }, 202)),
    },
  ];
});

/** Operations that answer the label set of a site. */
export const labelsOfSite: When = { id: ['applySiteLabel', 'removeSiteLabel'], ok: true };

export const labelReplies: readonly Defect[] = [
  ...perOperation,
  ...(['removeConversationLabel', 'removeClientSiteLabel'] as const).map((id): Defect => {
    const [on, , breaks] = rules[id];
    return {
      id: `labels/${on}-remove-answers-no-list`,
      breaks,
      does: `answers remove from a ${on} with the labels as properties of an object, not as a list`,
      around: onReplyTo({ id, ok: true }, ({ reply }) =>
        withJson(reply, Object.fromEntries(asArray(objectOf(reply).labels).entries())),
      ),
    };
  }),
  ...breaking('labels/conversation-apply', {
    'labels/reply-of-the-first-apply': [
      'answers an apply of a label that a conversation carries with the set that the first apply showed',
      firstReplyAgain,
    ],
  }),
  ...breaking('labels/site-apply', {
    'labels/site-apply-answers-all-but-the-applied': [
      'leaves the label that was applied out of the reply to apply to a site',
      inLabels('site', 'apply', (labels, { label }) => labels.filter((listed) => idOf(listed) !== label?.id)),
    ],
    'labels/site-apply-is-501': refusing({ id: 'applySiteLabel' }, 501),
    'labels/site-set-with-418': withStatus({ id: 'applySiteLabel', ok: true }, 418),
  }),
  ...breaking('labels/site-label-set', {
    'labels/site-set-without-site-id': wrongValue(labelsOfSite, 'siteId', 'nothing', () => undefined),
    'labels/site-id-is-a-number': wrongValue({ ...labelsOfSite, record: 'legacy' }, 'siteId', 'a number', Number),
    'labels/site-labels-are-ids': wrongValue(labelsOfSite, 'labels[]', 'ids', (label) => idOf(label) ?? null),
    'labels/site-labels-by-id': [
      'answers the labels of a site as an object by id',
      inReply(labelsOfSite, ({ labels }) => ({
        labels: Object.fromEntries(asArray(labels).map((label) => [String(idOf(label)), label])),
      })),
    ],
    'labels/site-set-bare-after-last-removal': [
      'answers a bare array where a label of a site was applied, and the set nowhere else',
      onReplyTo({ id: 'applySiteLabel', ok: true }, ({ reply }) => withJson(reply, asArray(objectOf(reply).labels))),
    ],
  }),
  ...breaking('labels/listing-gives-public-labels', {
    'labels/list-is-gone-after-a-while': late(refusing({ id: 'listLabels' }, 500)),
    'labels/list-fails-every-second-time': refusing({ id: 'listLabels', every: 2 }, 500),
    'labels/listing-lacks-carried-by-them': [
      'does not list a label that records of the second tenant carry',
      listsWithoutCarried({ tenant: 'globex' }),
    ],
    'labels/listing-lacks-carried-at-first': [
      'does not list a label that records carry, for the first five seconds of each day',
      listsWithoutCarried({ where: ({ mock }) => mock.clock.now() % 86_400_000 < 5_000 }),
    ],
    'labels/listing-lacks-one': [
      'lists all public labels but the one that nothing carries',
      inReply({ id: 'listLabels', ok: true }, ({ labels }) => ({
        labels: asArray(labels).filter((label) => asObject(label).name !== 'spare'),
      })),
    ],
    'labels/listing-lacks-one-now-and-then': [
      'lists all public labels but the first in every third reply',
      inReply({ id: 'listLabels', ok: true, every: 3 }, ({ labels }) => ({ labels: asArray(labels).slice(1) })),
    ],
    'labels/listing-has-names-alone': ['lists names of labels without their ids', inListed(({ name = null }) => name)],
    'labels/listed-with-410': withStatus({ id: 'listLabels', ok: true }, 410),
  }),
];
