import { type Around, type LegalVariant, legal } from '../tampering/defect.ts';
import {
  asArray,
  asObject,
  each,
  type Json,
  type JsonObject,
  objectOf,
  withJson,
  withProperties,
} from '../tampering/json-value.ts';
import { type LabelWrite, onWrite, reachable } from '../tampering/label-write.ts';
import { chain, onReplyTo } from '../tampering/when.ts';

/** Changes the sets in replies to successful writes of labels. Sets of sites must stay arrays of objects. */
const inSets = (
  change: (labels: readonly JsonObject[], write: LabelWrite) => { readonly [name: string]: Json | undefined },
  which: (write: LabelWrite) => boolean = () => true,
) =>
  onWrite(which, (write, { reply }) =>
    withProperties(reply, change(asArray(objectOf(reply).labels).map(asObject), write)),
  );

const isNotOnSite = ({ on }: LabelWrite) => on !== 'site';

const inList = (change: (labels: readonly JsonObject[], query: URLSearchParams) => Json): Around =>
  onReplyTo({ id: 'listLabels', ok: true }, ({ reply, request }) =>
    withJson(
      reply,
      change(asArray(objectOf(reply).labels).map(asObject), new URL(request.url, 'http://x').searchParams),
    ),
  );

/** Adds properties to each label of a list. */
const adding = (more: (label: JsonObject, index: number) => JsonObject) => (labels: readonly JsonObject[]) => ({
  labels: labels.map((label, index) => ({ ...more(label, index), ...label })),
});

const parent = 'f0f0f0f0-0000-4000-8000-000000000001';
const high = { name: 'high' };

/** Deployments with other forms of label sets and lists. */
export const labelVariants: readonly LegalVariant[] = legal({
  'labels-in-linked-pages': inList((labels, query) => {
    const from = Number(query.get('from') ?? 0);
    const next = from + 2 < labels.length ? `/v1/labels?from=${from + 2}` : null;
    return { labels: labels.slice(from, from + 2), next };
  }),
  'site-removals-answer-ids': [
    'answers the removal of a label from a site, whose reply is not documented, with the ids that are left',
    onReplyTo({ id: 'removeSiteLabel', ok: true }, ({ reply }) =>
      withJson(
        reply,
        each(objectOf(reply).labels, ({ id = null }) => id),
      ),
    ),
  ],
  'private-removal-says-200': reachable(({ does }) => does === 'remove', false),
  'labels-have-parents': chain(
    inSets(adding(() => ({ parentId: parent, tenantId: parent, group: { id: parent, name: 'All' } }))),
    inList(adding(() => ({ parentId: parent, groups: [parent] }))),
  ),
  'sets-by-id': inSets(
    (labels) => ({
      labels: Object.fromEntries(labels.map(({ id, name = '' }): [string, Json] => [String(id), { name }])),
    }),
    isNotOnSite,
  ),
  'everyday-private-name': [
    'has a private label whose name is an everyday word of its contexts and label records',
    {
      around: chain(inSets(adding(() => ({ priority: 'high' }))), inList(adding(() => ({ priority: 'high' })))),
      target: (target) => ({
        ...target,
        tenants: target.tenants.map(({ privateLabel, privateLabels, ...tenant }) => ({
          ...tenant,
          ...(privateLabel && { privateLabel: { ...privateLabel, ...high } }),
          ...(privateLabels && { privateLabels: privateLabels.map((label) => ({ ...label, ...high })) }),
        })),
      }),
    },
  ],
  'one-spare-label': {
    target: (target) => ({ ...target, tenants: target.tenants.map(({ spareLabels: _, ...tenant }) => tenant) }),
  },
});
