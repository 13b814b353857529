import { lagging } from '../../../mock/wrong/defects/label-writes.ts';
import { fromCache } from '../../../mock/wrong/tampering/from-cache.ts';
import { asArray, each, type Json, objectOf, withProperties } from '../../../mock/wrong/tampering/json-value.ts';
import { inReply, onReplyTo, type When } from '../../../mock/wrong/tampering/when.ts';
import type { Target, TargetTenant } from '../../../spec/files/target.ts';
import { seededRandom } from '../../../spec/random.ts';
import type { Honest } from '../trials/trial.ts';
import { described, saying, seeded, strangers } from './stranger.ts';

const context = { id: 'getConversationContext', ok: true } as const;
const set: When = { ok: true, where: ({ id }) => /^(apply|remove)/.test(id ?? '') };
const record: When = { ok: true, where: ({ id }) => /Label/.test(id ?? '') };

/** Other names of labels, in the deployment and in its target file. */
const names = (to: Readonly<Record<string, string>>) =>
  seeded((text) =>
    Object.entries(to).reduce((all, [old, name]) => all.replaceAll(`"${old}"`, JSON.stringify(name)), text),
  );
const agentMessage = (text: string): Json => ({
  author: 'Desk',
  role: 'agent',
  createdAt: '2026-11-20T08:00:00Z',
  text,
  rawBody: text,
});
const byName = 'contexts show names, and two labels have the same one';

/** Other data. Names, texts, order and further fields are left open by the specification. */
export const data = strangers({
  'pages-of-three': [
    'lists labels in pages of three, and the last page is empty',
    onReplyTo({ id: 'listLabels', ok: true }, ({ reply, request }) => {
      const from = Number(new URL(request.url, 'http://x').searchParams.get('cursor') ?? 0);
      const labels = asArray(objectOf(reply).labels);
      const nextCursor = from < labels.length ? String(from + 3) : null;
      return withProperties(reply, { labels: labels.slice(from, from + 3), nextCursor });
    }),
  ],
  'everyday-names': ['has spare labels called agent and open', names({ spare: 'agent', 'second spare': 'open' })],
  'odd-names': [
    'has spare labels with quotes, markup, an emoji and two hundred characters',
    names({ spare: 'späre "x" <b>&amp;</b> \\ 🔧', 'second spare': `long ${'name '.repeat(40)}end` }),
  ],
  'two-of-one-name': [
    'has two spare labels of one name',
    {
      around: saying((body) => body.replaceAll('"second spare"', '"spare"')),
      target: described((text) => text.replaceAll('second spare', 'spare')),
    },
    byName,
  ],
  'one-catalogue': [
    'has one catalogue of public labels for both tenants',
    seeded((text) => text.replace(/(1abe1\d{3}-0000-4000-8000-0000000)001/g, '$1000')),
  ],
  templates: [
    'begins conversations of both tenants with the same texts, from templates',
    inReply(context, ({ messages }) => ({
      subject: 'Annual maintenance visit for your heating system',
      messages: [
        agentMessage('Thank you for choosing our annual maintenance plan for your heating system.'),
        ...asArray(messages),
      ],
    })),
  ],
  'empty-lists': [
    'has no messages, sites and participants',
    inReply(context, () => ({ messages: [], sites: [], participants: { agents: [], clients: [] } })),
  ],
  'ids-of-memberships': [
    'answers sets of memberships with ids of their own, beside labelId',
    inReply(set, ({ labels }) => ({
      labels: each(labels, ({ id = '', name = '' }, i) => ({
        id: `aaaa0001-0000-4000-8000-00000000000${i}`,
        labelId: id,
        name,
      })),
    })),
  ],
  'private-word-in-a-summary': [
    'has a summary in which somebody wrote the name of a private label',
    seeded((text) => text.replaceAll('"Client shut the water off', '"See internal-risk: client shut the water off')),
  ],
  'names-within-names': [
    'has labels called heat, heat pump, pump and heat pump defect',
    names({ spare: 'heat', 'second spare': 'heat pump', warranty: 'pump', vip: 'heat pump defect' }),
  ],
  'private-like-a-carried-one': [
    'has a public label that records carry, with the name of a private one',
    saying((body) => body.replaceAll('"vip"', '"internal-risk"')),
    byName,
  ],
  'private-like-the-spare': [
    'has private labels with the name of the spare label',
    { target: described((text) => text.replace(/"(internal-risk|churn-suspect|payment-watchlist)"/g, '"spare"')) },
    byName,
  ],
  'no-order': [
    'lists labels in another order at each reply',
    (scene) => {
      const random = seededRandom(8);
      return inReply({ ...record, id: undefined }, ({ labels }) => {
        const order = asArray(labels).map((one) => ({ one, at: random() }));
        return { labels: order.sort((a, b) => a.at - b.at).map(({ one }) => one) };
      })(scene);
    },
  ],
  live: [
    'has conversations whose status, urgency and requester change at each read',
    (scene) => {
      let reads = 0;
      return inReply({ ok: true, id: ['getConversationContext', 'getConversation'] }, () => ({
        status: ['open', 'waiting', 'in progress'][++reads % 3],
        urgency: ['low', 'high'][reads % 2],
        requester: `Caller ${reads % 7}`,
      }))(scene);
    },
  ],
  huge: [
    'has five hundred messages in each context',
    inReply(context, (_, { params }) => ({
      messages: Array.from({ length: 500 }, (_, i) =>
        agentMessage(`${i}: the technician was at ${params.id}, and it runs.`),
      ),
    })),
  ],
  'ids-as-uuid': [
    'gives label records a number as id, and the id for paths as uuid',
    {
      options: () => ({ profile: { shapes: { label: { id: 'uuid', name: 'title' } } } }),
      around: inReply(record, ({ labels }) => ({ labels: each(labels, (label, i) => ({ id: 40 + i, ...label })) })),
    },
  ],
  'contexts-with-more': [
    'adds to contexts all labels that could be put on, and who put what on',
    inReply(context, ({ labels }, { mock, key }) => {
      const all = [...mock.tenant(key?.tenant ?? '').records.publicLabels.values()];
      const labelHistory = asArray(labels).map((label) => ({ label, by: 'Maya Lindqvist' }));
      return {
        availableLabels: all.map(({ name }) => name),
        catalogue: all.map(({ id, name }) => ({ id, name })),
        labelHistory,
      };
    }),
  ],
});

const settles = (settleMilliseconds: number): Pick<Honest, 'target'> => ({
  target: (target) => ({ ...target, settleMilliseconds }),
});
const replicas = (...lags: readonly number[]) => lagging((read) => lags[read % lags.length] ?? 0);
/** A number from 0 to 1 that looks like chance. */
const chance = (read: number) => (Math.imul(read + 1, 2_654_435_761) >>> 8) / 2 ** 24;
const cache = (milliseconds: number) => fromCache({ keeps: context, answers: context, milliseconds });
const further = 'contexts lag further than the target file says';

/** Reads lag behind writes: by a second, unless the target file says more (decisions.md, Second reading). The replies of writes never do. */
export const lag = strangers({
  cache: ['keeps contexts for 900 ms', cache(900)],
  'replica-2-s-untold': ['has two replicas, the second 2 s behind', replicas(0, 2_000), further],
  'by-900-ms': ['answers contexts as they were 900 ms ago', lagging(() => 900)],
  'any-replica': ['answers contexts from anywhere in the last 950 ms', lagging((read) => 950 * chance(read))],
  'seldom-behind': ['is 700 ms behind one time in ten', lagging((read) => (chance(read) < 0.1 ? 700 : 0))],
  'replica-3-s-as-told': ['has a replica 3 s behind, and says so', { around: replicas(3_000, 0), ...settles(3_000) }],
  'by-3-s-untold': ['answers contexts as they were 3 s ago', lagging(() => 3_000), further],
  'closed-behind': [
    'has an archive 900 ms behind',
    lagging((_, { params }) => (params.id?.startsWith('c0000002') ? 900 : 0)),
  ],
  'three-replicas': ['has three replicas: at once, 300 and 800 ms behind', replicas(0, 300, 800)],
  'other-keys': [
    'shows a write to other keys than full after 700 ms',
    lagging((_, { key }) => (key?.name === 'full' ? 0 : 700)),
  ],
  'busy-for-a-while': [
    'is 4 s behind from the 20th to the 40th second, while a job runs',
    (scene) => {
      const { clock } = scene.mock;
      const since = clock.now();
      return lagging(() => (Math.abs(clock.now() - since - 30_000) < 10_000 ? 4_000 : 0))(scene);
    },
    further,
  ],
  'cache-as-told': ['keeps contexts for 2 s, and says so', { around: cache(2_000), ...settles(2_000) }],
});

type Change = (tenant: TargetTenant, index: number) => Partial<Record<keyof TargetTenant, unknown>>;

/** A target file whose tenants have other fields, or lack some. */
const tenants = (change: Change): Pick<Honest, 'target'> => ({
  target: (target) =>
    ({ ...target, tenants: target.tenants.map((one, i) => ({ ...one, ...change(one, i) })) }) as Target,
});
const keys = (isMeant: (name: string) => boolean) =>
  tenants((tenant) => ({ keys: tenant.keys.filter(({ name }) => isMeant(name)) }));
const none: Partial<Record<keyof TargetTenant, undefined>> = {
  ...{ conversations: undefined, sites: undefined, clientSite: undefined },
  ...{ privateLabel: undefined, privateLabels: undefined },
};
const nothing = { ...none, spareLabel: undefined, spareLabels: undefined };
const idOf = <L extends { readonly id: string }>({ id }: L) => ({ id });
const missing = 'the target file leaves out what some rules need';

/** The packaged deployment, of which the target file says little. */
export const thin = strangers({
  'one-key': ['is described with one key a tenant', keys((name) => name === 'full'), missing],
  'one-conversation': [
    'is described with one record, a conversation',
    tenants(({ conversations }) => ({ ...none, conversations: { open: conversations?.open } })),
    missing,
  ],
  'one-site': [
    'is described with one record, a site',
    tenants(({ sites }) => ({ ...none, sites: { current: sites?.current } })),
    missing,
  ],
  'narrow-keys': [
    'is described with narrow keys alone',
    keys((name) => !/^(full|limits|none|revoked)$/.test(name)),
    missing,
  ],
  'nothing-allowed': [
    'has no hooks, and may not be left with files',
    { chosen: { allowLeftovers: false, allowHooks: false, slow: false } },
    missing,
  ],
  'bare-id-of-theirs-untold': [
    'does not say that the other tenant has a site with the same bare id',
    tenants(({ sites }, i) => (i === 0 ? {} : { sites: { current: sites?.current } })),
    missing,
  ],
  'one-tenant': [
    'is described with one tenant',
    { target: (one) => ({ ...one, tenants: one.tenants.slice(0, 1) }) },
    missing,
  ],
  'no-spare-label': [
    'is described without spare labels',
    tenants(() => ({ spareLabel: undefined, spareLabels: undefined })),
    missing,
  ],
  'no-names': [
    'is described with the ids of labels alone',
    tenants(({ spareLabel, spareLabels }) => ({
      spareLabel: spareLabel && idOf(spareLabel),
      spareLabels: spareLabels?.map(idOf),
      privateLabel: undefined,
      privateLabels: undefined,
    })),
    missing,
  ],
  'bare-stranger': [
    'is described with nothing of the other tenant but a key',
    tenants((_, i) => (i === 0 ? {} : nothing)),
    missing,
  ],
  'read-only': [
    'may only be read',
    { chosen: { readOnly: true, allowHooks: false, allowLeftovers: false } },
    'nothing may be written',
  ],
});
