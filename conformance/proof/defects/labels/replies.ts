import { asArray, asObject, type Json, objectOf, withJson } from '../../../../mock/proof/tampering/json-value.ts';
import type { Scene } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { inLabels, knowing, type LabelWrite, labelsNow, wasCarried } from '../../tampering/label-write.ts';
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

const idOf = (label: Json) => asObject(label).id;
const isOf =
  ({ label }: LabelWrite) =>
  (listed: Json) =>
    idOf(listed) === label?.id;

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

/** The same faults for every reply with a documented set. */
const perOperation = (
  [
    ['applyConversationLabel', 'conversation', 'apply'],
    ['removeConversationLabel', 'conversation', 'remove'],
    ['applySiteLabel', 'site', 'apply'],
    ['removeClientSiteLabel', 'link', 'remove'],
  ] as const
).flatMap(([id, on, does]) =>
  breaking(`labels/${on}-${does}` as Defect['breaks'], {
    [`labels/${on}-${does}-answers-nothing`]: withText({ id, ok: true }, '{}'),
    [`labels/${on}-${does}-answers-one-label`]: inLabels(on, does, (labels, write) => labels.filter(isOf(write))),
    [`labels/${on}-${does}-answers-the-past`]: knowing(
      (write) => write && labelsNow(write),
      (labelsBefore) => inLabels(on, does, labelsBefore),
    ),
    [`labels/${on}-${does}-answers-all-but-the-first`]: inLabels(on, does, (labels, write) => {
      const other = labels.find((listed) => !isOf(write)(listed));
      return labels.filter((listed) => listed !== other);
    }),
    [`labels/${on}-${does}-answers-202`]: chain(withText({ id, ok: true }, ''), withStatus({ id, ok: true }, 202)),
    ...(does === 'remove' && {
      [`labels/${on}-remove-answers-no-list`]: onReplyTo({ id, ok: true }, ({ reply }) =>
        withJson(reply, Object.fromEntries(asArray(objectOf(reply).labels).entries())),
      ),
    }),
  }),
);

const ofSite: When = { id: ['applySiteLabel', 'removeSiteLabel'], ok: true };
const list: When = { id: 'listLabels', ok: true };

/** Sets and lists of labels in another form, or without some of them. */
export const labelReplies: readonly Defect[] = [
  ...perOperation,
  ...breaking('labels/conversation-apply', { 'labels/reply-of-the-first-apply': firstReplyAgain }),
  ...breaking('labels/site-apply', {
    'labels/site-apply-answers-all-but-the-applied': inLabels('site', 'apply', (labels, write) =>
      labels.filter((listed) => !isOf(write)(listed)),
    ),
    'labels/site-apply-is-501': refusing({ id: 'applySiteLabel' }, 501),
    'labels/site-set-with-418': withStatus({ id: 'applySiteLabel', ok: true }, 418),
  }),
  ...breaking('labels/site-label-set', {
    'labels/site-set-without-site-id': wrongValue(ofSite, 'siteId', () => undefined),
    'labels/site-id-is-a-number': wrongValue({ ...ofSite, record: 'legacy' }, 'siteId', Number),
    'labels/legacy-set-has-another-id': wrongValue({ ...ofSite, record: 'legacy' }, 'siteId', () => 'ovaid-10042'),
    'labels/site-labels-are-ids': wrongValue(ofSite, 'labels[]', (label) => idOf(label) ?? null),
    'labels/site-labels-by-id': wrongValue(ofSite, 'labels', (labels) =>
      Object.fromEntries(asArray(labels).map((label) => [String(idOf(label)), label])),
    ),
    'labels/site-set-bare-after-last-removal': [
      'answers a bare array where a label of a site was applied, and the set nowhere else',
      onReplyTo({ id: 'applySiteLabel', ok: true }, ({ reply }) => withJson(reply, asArray(objectOf(reply).labels))),
    ],
  }),
  ...breaking('labels/listing-gives-public-labels', {
    'labels/list-is-gone-after-a-while': late(refusing({ id: 'listLabels' }, 500)),
    'labels/list-fails-every-second-time': refusing({ id: 'listLabels', every: 2 }, 500),
    'labels/listed-with-410': withStatus(list, 410),
    'labels/listing-lacks-one': inReply(list, ({ labels }) => ({
      labels: asArray(labels).filter((label) => asObject(label).name !== 'spare'),
    })),
    'labels/listing-lacks-one-now-and-then': inReply({ ...list, every: 3 }, ({ labels }) => ({
      labels: asArray(labels).slice(1),
    })),
    'labels/listing-for-narrow-keys-is-empty': inReply({ ...list, key: 'none' }, () => ({ labels: [] })),
    'labels/listing-has-names-alone': inListed(({ name = null }) => name),
    'labels/listing-has-some-numeric-ids': inListed((label, index) =>
      label.name === 'spare' ? label : { ...label, id: index + 1 },
    ),
  }),
];
