import {
  asArray,
  asObject,
  each,
  type Json,
  type JsonObject,
  objectOf,
  withJson,
  withProperties,
} from '../../../mock/proof/tampering/json-value.ts';
import { seededRandom } from '../../../spec/random.ts';
import { carried, drop, type LabelWrite, onWrite, put, reachable } from '../tampering/label-write.ts';
import { oneSpare } from '../tampering/targets.ts';
import { chain, inReply, onReplyTo } from '../tampering/when.ts';
import { type LegalVariant, legal } from './legal-variant.ts';

type Around = NonNullable<LegalVariant['around']>;

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
/** The number in the last part of a label's id. */
const numberOf = ({ id }: JsonObject) => Number(String(id).slice(-4));
const named = ({ id, name }: { readonly id: string; readonly name: string }) => ({ id, name });
const publicOf = ({ tenant }: LabelWrite) =>
  [...tenant.records.labels.values()].filter(({ visibility }) => visibility === 'public').map(named);

/** Lists of labels in pages of two. @param from where a page begins @param says how it names the next page */
const inPages = (
  from: (query: URLSearchParams) => number,
  says: (next: number | null, from: number, all: number) => JsonObject,
) =>
  inList((labels, query) => {
    const start = from(query);
    const next = start + 2 < labels.length ? start + 2 : null;
    return { labels: labels.slice(start, start + 2), ...says(next, start, labels.length) };
  });

const numberIn = (query: URLSearchParams, name: string, usual: string) =>
  Number((query.get(name) ?? usual).replace(/^\D/, ''));

/** Nothing orders the labels, so that every request may meet others on its page. */
const unorderedPages: Around = (scene) => {
  const random = seededRandom(5);
  return inList((labels, query) => {
    const order = labels.map((label) => ({ label, at: random() })).sort((a, b) => a.at - b.at);
    const page = numberIn(query, 'page', '1');
    const meta = { page, pages: Math.ceil(labels.length / 5) };
    return { labels: order.slice(5 * (page - 1), 5 * page).map(({ label }) => label), meta };
  })(scene);
};

/** Somebody else's labels are on records of the tenant under test at certain times. */
const colleague =
  (isOn: (label: string, now: number) => boolean, isMeant = (_id: string) => true): Around =>
  ({ handle, mock }) => {
    const tenant = mock.tenants.get('acme');
    if (tenant === undefined) return handle;
    const { conversations, sites, links, records } = tenant;
    const holders = [...conversations, ...sites, ...links].flatMap(([id, holder]) => (isMeant(id) ? [holder] : []));
    return async (request, trace) => {
      const now = mock.clock.now();
      const added = [...records.labels.values()]
        .filter(({ name }) => isOn(name, now))
        .flatMap((label) => holders.map((holder) => ({ tenant, holder, label })))
        .filter((one) => !carried(one));
      added.forEach(put);
      const reply = await handle(request, trace);
      // The other client removes its labels before the state is compared, also where this request has applied them as well.
      added.forEach(drop);
      return reply;
    };
  };

const high = { name: 'high' };

/** Deployments with other forms of label sets and lists. */
export const labelVariants: readonly LegalVariant[] = legal({
  'labels-in-unordered-pages': unorderedPages,
  'labels-in-linked-pages': inPages(
    (query) => numberIn(query, 'from', '0'),
    (next) => ({ next: next === null ? null : `/v1/labels?from=${next}` }),
  ),
  'labels-in-numbered-pages': inPages(
    (query) => (numberIn(query, 'page', '1') - 1) * 2,
    (_, from, all) => ({ meta: { page: from / 2 + 1, pages: Math.ceil(all / 2) } }),
  ),
  'labels-in-counted-pages': inPages(
    (query) => numberIn(query, 'offset', '0'),
    (_, from, all) => ({ offset: from, limit: 2, total: all }),
  ),
  'labels-in-cursor-pages': inPages(
    (query) => numberIn(query, 'cursor', 'c0'),
    (next) => ({ requestId: `r-${next}`, nextCursor: next === null ? null : `c${next}` }),
  ),
  'labels-in-token-pages': inPages(
    (query) => numberIn(query, 'beyond', 'b0'),
    (next) => ({ beyond: next === null ? '' : `b${next}` }),
  ),
  'one-long-name-in-both-tenants': onReplyTo({ ok: true, where: ({ id }) => id !== 'storage' }, ({ reply }) => ({
    ...reply,
    body: reply.body?.replaceAll('"vip"', '"please call this customer back before noon — ☎"') ?? null,
  })),
  'somebody-labels-too': [
    'has a colleague who puts an ordinary label on the open conversation and takes it off again and again',
    {
      around: colleague(
        (label, now) => label === 'gate code needed' && now % 5_000 >= 2_500,
        (id) => id.startsWith('c0000001'),
      ),
      unjudged: 'any',
    },
  ],
  'somebody-labels-all-the-time': [
    'has a colleague who puts a label on all records and takes it off every 300 ms, and the spare label at some of these times',
    {
      around: colleague(
        (label, now) =>
          (label === 'gate code needed' && now % 600 < 300) || (label === 'spare' && Math.floor(now / 300) % 7 === 3),
      ),
      unjudged: 'any',
    },
  ],
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
  'labels-in-a-tree': inList(([root = {}, ...children]) => ({
    labels: [{ ...root, children: children.map((child) => ({ ...child, parentId: root.id ?? '' })) }],
  })),
  'notes-about-labels': [
    'has a message in each context for each of the last six changes of its labels',
    (scene) => {
      const notes = new Map<string | undefined, Json[]>();
      return chain(
        onWrite(
          () => true,
          ({ does, label }, { mock, params: { id } }) => {
            const text = `Label ${label?.name} was ${does === 'apply' ? 'added' : 'removed'}.`;
            const createdAt = new Date(mock.clock.now()).toISOString();
            notes.set(id, [...(notes.get(id) ?? []), { author: 'API', role: 'system', createdAt, text }].slice(-6));
            return undefined;
          },
        ),
        inReply({ id: 'getConversationContext', ok: true }, ({ messages }, { params: { id } }) => ({
          messages: [...asArray(messages), ...(notes.get(id) ?? [])],
        })),
      )(scene);
    },
  ],
  'sets-with-a-catalogue': [
    'adds the whole catalogue, the history of changes and suggestions to each set',
    (scene) => {
      const changes: Json[] = [];
      return inSets((labels, write) => {
        const all = publicOf(write);
        if (write.label !== undefined) changes.push({ ...named(write.label), did: write.does });
        const carried = new Set(labels.map(({ id }) => id));
        return { catalogue: all, history: [...changes], suggestions: all.filter(({ id }) => !carried.has(id)), labels };
      })(scene);
    },
  ],
  'sets-with-what-changed': [
    'answers a write with the added and the removed label and all existing labels, before the set',
    inSets((labels, write) => {
      const changed = write.label === undefined ? [] : [named(write.label)];
      const [added, removed] = write.does === 'apply' ? [changed, []] : [[], changed];
      return { added, removed, available: publicOf(write), labels };
    }),
  ],
  'sets-of-slugs': inSets(
    (labels) => ({ labels: labels.map(({ name }) => String(name).toLowerCase().replaceAll(' ', '-')) }),
    isNotOnSite,
  ),
  'sets-by-id': inSets(
    (labels) => ({
      labels: Object.fromEntries(labels.map(({ id, name = '' }): [string, Json] => [String(id), { name }])),
    }),
    isNotOnSite,
  ),
  'sets-of-numbers': chain(
    inSets((labels) => ({ labels: labels.map(numberOf) }), isNotOnSite),
    inList(adding((label) => ({ uses: 3, number: numberOf(label) }))),
  ),
  'numbers-for-ids-of-memberships': [
    'answers memberships with short numbers of their own that look like ids of sites',
    inSets(adding((_, i) => ({ membership: { id: String(10040 + i) }, rank: 10042 }))),
  ],
  'three-thousand-labels': inList((labels) => ({
    labels: [
      ...Array.from({ length: 3_000 }, (_, i) => ({
        id: `2abe1001-0000-4000-8000-${String(i).padStart(12, '0')}`,
        name: `label ${i}`,
      })),
      ...labels,
    ],
  })),
  'labels-in-groups': [
    'lists labels in groups that have ids and names of their own, beside other records',
    inList((labels) => ({
      colours: [{ id: parent, name: 'red' }],
      groups: labels.map((label, i) => ({
        id: `${i}0f0f0f0-0000-4000-8000-000000000002`,
        name: 'All',
        labels: [label],
      })),
    })),
  ],
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
  'reads-lag': [
    'answers contexts as they were 300 ms ago',
    ({ mock, handle }) => {
      const past: { readonly at: number; readonly id: string; readonly labels: readonly string[] }[] = [];
      return async (request, trace) => {
        const [, id = '', what] = /^\/v1\/conversation\/([^/]+)\/(label|context)/.exec(request.url) ?? [];
        const now = mock.clock.now();
        for (const tenant of mock.tenants.values()) {
          const conversation = tenant.conversations.get(id);
          if (what === 'label' && conversation !== undefined)
            past.push({ at: now, id, labels: tenant.publicLabelsOf(conversation).map(({ name }) => name) });
        }
        const reply = await handle(request, trace);
        const then = what === 'context' ? past.find((one) => one.id === id && one.at > now - 300) : undefined;
        return then === undefined || reply.status !== 200 ? reply : withProperties(reply, { labels: then.labels });
      };
    },
  ],
  'one-spare-label': { target: oneSpare },
});
