import {
  asArray,
  asObject,
  type Json,
  objectOf,
  withJson,
  withProperties,
} from '../../../mock/proof/tampering/json-value.ts';
import { seededRandom } from '../../../spec/random.ts';

import { carried, drop, type LabelWrite, onWrite, put, reachable } from '../tampering/label-write.ts';
import { oneSpare } from '../tampering/targets.ts';
import { chain, inReply, onReplyTo } from '../tampering/when.ts';
import type { LegalVariant } from './legal-variant.ts';

type Around = NonNullable<LegalVariant['around']>;

/** Changes the sets in replies to successful writes of labels. Sets of sites must stay arrays of objects. */
const inSets = (
  change: (labels: readonly Json[], write: LabelWrite) => { readonly [name: string]: Json | undefined },
  which: (write: LabelWrite) => boolean = () => true,
) => onWrite(which, (write, { reply }) => withProperties(reply, change(asArray(objectOf(reply).labels), write)));

const isNotOnSite = ({ on }: LabelWrite) => on !== 'site';

const inList = (change: (labels: readonly Json[], url: string) => Json): Around =>
  onReplyTo({ id: 'listLabels', ok: true }, ({ reply, request }) =>
    withJson(reply, change(asArray(objectOf(reply).labels), request.url)),
  );

const slug = (name: Json | undefined) => String(name).toLowerCase().replaceAll(' ', '-');
const parent = 'f0f0f0f0-0000-4000-8000-000000000001';

/** The number in the last part of a label's id. */
const numberOf = (id: Json | undefined) => Number(String(id).slice(-4));

/** Lists of labels in pages of two. The parameters say where a page begins, and how it names the next page. */
const pagings = Object.entries({
  linked: {
    from: (query: URLSearchParams) => Number(query.get('from') ?? 0),
    says: (next: number | null) => ({ next: next === null ? null : `/v1/labels?from=${next}` }),
  },
  numbered: {
    from: (query: URLSearchParams) => (Number(query.get('page') ?? 1) - 1) * 2,
    says: (_: number | null, from: number, all: number) => ({
      meta: { page: from / 2 + 1, pages: Math.ceil(all / 2) },
    }),
  },
  counted: {
    from: (query: URLSearchParams) => Number(query.get('offset') ?? 0),
    says: (_: number | null, from: number, all: number) => ({ offset: from, limit: 2, total: all }),
  },
  cursor: {
    from: (query: URLSearchParams) => Number((query.get('cursor') ?? 'c0').slice(1)),
    says: (next: number | null) => ({ requestId: `r-${next}`, nextCursor: next === null ? null : `c${next}` }),
  },
  token: {
    from: (query: URLSearchParams) => Number((query.get('beyond') ?? 'b0').slice(1)),
    says: (next: number | null) => ({ beyond: next === null ? '' : `b${next}` }),
  },
}).map(
  ([kind, { from, says }]): LegalVariant => ({
    id: `labels-in-${kind}-pages`,
    does: `lists labels in pages of two: ${JSON.stringify(says(2, 0, 5))}`,
    around: onReplyTo({ id: 'listLabels', ok: true }, ({ reply, request }) => {
      const labels = asArray(objectOf(reply).labels);
      const start = from(new URL(request.url, 'http://x').searchParams);
      const next = start + 2 < labels.length ? start + 2 : null;
      return withJson(reply, { labels: labels.slice(start, start + 2), ...says(next, start, labels.length) });
    }),
  }),
);

/** Nothing orders the labels, so that every request may meet others on its page. */
const unorderedPages: Around = (scene) => {
  const random = seededRandom(5);
  return onReplyTo({ id: 'listLabels', ok: true }, ({ reply, request }) => {
    const order = asArray(objectOf(reply).labels).map((label) => ({ label, at: random() }));
    const labels = order.sort((a, b) => a.at - b.at).map(({ label }) => label);
    const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 1);
    const meta = { page, pages: Math.ceil(labels.length / 5) };
    return withJson(reply, { labels: labels.slice(5 * (page - 1), 5 * page), meta });
  })(scene);
};

const isOpen = (id: string) => id.startsWith('c0000001');

/** Somebody else's labels are on records of the tenant under test at certain times. */
const colleague =
  (isOn: (label: string, now: number) => boolean, isMeant = (_id: string) => true): Around =>
  ({ handle, mock }) => {
    const tenant = mock.tenants.get('acme');
    if (tenant === undefined) return handle;
    const { conversations, sites, links, records } = tenant;
    const holders = [...conversations, ...sites, ...links].flatMap(([id, holder]) => (isMeant(id) ? [holder] : []));
    const labels = [...records.labels.values()];
    return async (request, trace) => {
      const now = mock.clock.now();
      const added = labels
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

/** Deployments with other forms of label sets and lists. */
export const labelVariants: readonly LegalVariant[] = [
  {
    id: 'labels-in-unordered-pages',
    does: 'lists labels in pages of five, in another order at each request',
    around: unorderedPages,
  },
  {
    id: 'one-long-name-in-both-tenants',
    does: 'has a label in both tenants whose name is the same whole sentence',
    around: onReplyTo({ ok: true, where: ({ id }) => id !== 'storage' }, ({ reply }) => ({
      ...reply,
      body: reply.body?.replaceAll('"vip"', '"please call this customer back before noon — ☎"') ?? null,
    })),
  },
  {
    id: 'somebody-labels-too',
    does: 'has a colleague who puts an ordinary label on the open conversation and takes it off again and again',
    around: colleague((label, now) => label === 'gate code needed' && now % 5_000 >= 2_500, isOpen),
    unjudged: 'any',
  },
  {
    id: 'somebody-labels-all-the-time',
    does: 'has a colleague who puts a label on all records and takes it off every 300 ms, and the spare label at some of these times',
    around: colleague(
      (label, now) =>
        (label === 'gate code needed' && now % 600 < 300) || (label === 'spare' && Math.floor(now / 300) % 7 === 3),
    ),
    unjudged: 'any',
  },
  {
    id: 'site-removals-answer-ids',
    does: 'answers the removal of a label from a site, whose reply is not documented, with the ids that are left',
    around: onReplyTo({ id: 'removeSiteLabel', ok: true }, ({ reply }) =>
      withJson(
        reply,
        asArray(objectOf(reply).labels).map((label) => asObject(label).id ?? null),
      ),
    ),
  },
  {
    id: 'private-removal-says-200',
    does: 'answers 200 where a private label is removed, and changes nothing',
    around: reachable(({ does }) => does === 'remove', false),
  },
  {
    id: 'labels-have-parents',
    does: 'gives each label record a parentId, a group and the id of its tenant',
    around: chain(
      inSets((labels) => ({
        labels: labels.map((label) => ({
          parentId: parent,
          tenantId: parent,
          group: { id: parent, name: 'All' },
          ...asObject(label),
        })),
      })),
      inList((labels) => ({
        labels: labels.map((label) => ({ parentId: parent, groups: [parent], ...asObject(label) })),
      })),
    ),
  },
  {
    id: 'labels-in-a-tree',
    does: 'lists labels as a tree: one label, with all others as its children',
    around: inList(([root = {}, ...children]) => ({
      labels: [
        {
          ...asObject(root),
          children: children.map((child) => ({ ...asObject(child), parentId: asObject(root).id ?? '' })),
        },
      ],
    })),
  },
  {
    id: 'notes-about-labels',
    does: 'has a message in each context for each of the last six changes of its labels',
    around: (scene) => {
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
  },
  {
    id: 'sets-with-a-catalogue',
    does: 'adds the whole catalogue, the history of changes and suggestions to each set',
    around: (scene) => {
      const { mock } = scene;
      const changes: Json[] = [];
      return inSets((labels, { label, does, tenant }) => {
        const all = [...tenant.records.labels.values()]
          .filter(({ visibility }) => visibility === 'public')
          .map(({ id, name }) => ({ id, name }));
        if (label !== undefined) changes.push({ id: label.id, name: label.name, did: does });
        const carried = new Set(labels.map((one) => asObject(one).id));
        return { catalogue: all, history: [...changes], suggestions: all.filter(({ id }) => !carried.has(id)), labels };
      })({ ...scene, mock });
    },
  },
  {
    id: 'sets-of-slugs',
    does: 'answers sets of conversations and links, and contexts, as slugs of the names',
    around: chain(inSets((labels) => ({ labels: labels.map((label) => slug(asObject(label).name)) }), isNotOnSite)),
  },
  {
    id: 'sets-by-id',
    does: 'answers sets of conversations and links as objects by id',
    around: inSets(
      (labels) => ({
        labels: Object.fromEntries(
          labels.map(asObject).map(({ id, name = '' }): [string, Json] => [String(id), { name }]),
        ),
      }),
      isNotOnSite,
    ),
  },
  {
    id: 'three-thousand-labels',
    does: 'lists three thousand labels',
    around: inList((labels) => ({
      labels: [
        ...Array.from({ length: 3_000 }, (_, i) => ({
          id: `2abe1001-0000-4000-8000-${String(i).padStart(12, '0')}`,
          name: `label ${i}`,
        })),
        ...labels,
      ],
    })),
  },
  ...pagings,
  {
    id: 'labels-in-groups',
    does: 'lists labels in groups that have ids and names of their own, beside other records',
    around: inList((labels) => ({
      colours: [{ id: parent, name: 'red' }],
      groups: labels.map((label, i) => ({
        id: `${i}0f0f0f0-0000-4000-8000-000000000002`,
        name: 'All',
        labels: [label],
      })),
    })),
  },
  {
    id: 'sets-with-what-changed',
    does: 'answers a write with the added and the removed label and all existing labels, before the set',
    around: inSets((labels, { label, does, tenant }) => {
      const changed = label === undefined ? [] : [{ id: label.id, name: label.name }];
      const available = [...tenant.records.labels.values()].filter(({ visibility }) => visibility === 'public');
      return {
        added: does === 'apply' ? changed : [],
        removed: does === 'remove' ? changed : [],
        available: available.map(({ id, name }) => ({ id, name })),
        labels: [...labels],
      };
    }),
  },
  {
    id: 'sets-of-numbers',
    does: 'gives each label a number, and answers sets of conversations and links as numbers',
    around: chain(
      inSets((labels) => ({ labels: labels.map((label) => numberOf(asObject(label).id)) }), isNotOnSite),
      inList((labels) => ({
        labels: labels.map((one) => ({ uses: 3, number: numberOf(asObject(one).id), ...asObject(one) })),
      })),
    ),
  },
  {
    id: 'everyday-private-name',
    does: 'has a private label whose name is an everyday word of its contexts and label records',
    around: chain(
      inSets((labels) => ({ labels: labels.map((label) => ({ ...asObject(label), priority: 'high' })) })),
      inList((labels) => ({ labels: labels.map((label) => ({ ...asObject(label), priority: 'high' })) })),
    ),
    target: (target) => ({
      ...target,
      tenants: target.tenants.map((tenant) => ({
        ...tenant,
        ...(tenant.privateLabel && { privateLabel: { ...tenant.privateLabel, name: 'high' } }),
        ...(tenant.privateLabels && {
          privateLabels: tenant.privateLabels.map((label) => ({ ...label, name: 'high' })),
        }),
      })),
    }),
  },
  {
    id: 'reads-lag',
    does: 'answers contexts as they were 300 ms ago',
    around: ({ mock, handle }) => {
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
  },
  {
    id: 'one-spare-label',
    does: 'is tried with one spare label alone',
    target: oneSpare,
  },
  {
    id: 'numbers-for-ids-of-memberships',
    does: 'answers memberships with short numbers of their own that look like ids of sites',
    around: inSets((labels) => ({
      labels: labels.map((label, i) => ({ ...asObject(label), membership: { id: String(10040 + i) }, rank: 10042 })),
    })),
  },
];
