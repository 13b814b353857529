import { asArray, each, errorWith, objectOf, withProperties } from '../../../../mock/wrong/tampering/json-value.ts';
import { labelWriteOf } from '../../../../mock/wrong/tampering/label-write.ts';
import { lagging } from '../../../../mock/wrong/tampering/lagging.ts';
import { shared } from '../../../../mock/wrong/tampering/limiters.ts';
import { as, instead, onReply } from '../../../../mock/wrong/tampering/tamper.ts';
import { oneSpare } from '../../../../mock/wrong/tampering/targets.ts';
import { answering, chain, endConnection, inReply, onReplyTo } from '../../../../mock/wrong/tampering/when.ts';
import { seededRandom } from '../../../../spec/random.ts';
import { writing } from '../colleagues.ts';
import { byName, context, names, record, told } from '../data.ts';
import { blocked, ever, often } from '../firewalls.ts';
import { by } from '../fronts.ts';
import { forbidden, inTurn, named } from '../keys.ts';
import { cache, further, replicas, settles } from '../lag.ts';
import { random } from '../networks.ts';
import { expiring, iso, store, xml } from '../stores.ts';
import {
  about,
  any,
  blocking,
  colleague,
  described,
  during,
  front,
  link,
  message,
  open,
  page,
  saying,
  strangers,
} from '../stranger.ts';
import { idOf, missing, nothing, tenants } from '../thin.ts';

export const fronts = strangers({
  tomcat: [
    'runs in Tomcat, which knows no markup, quotes and encoded slashes in a URL',
    front(by('Apache Tomcat/9'), { 400: /%(22|3c|3e|5b|5d|7b|7d|5c|2f|00)|[|^"<>{}]/i, 405: /^TRACE/, 501: /^FOO/ }),
  ],
  envoy: [
    'has Envoy in front, which redirects encoded slashes, and answers without bodies',
    front(
      (status) =>
        ({ request: { url } }) => {
          const location = url.replace(/%2f/gi, '/').replace(/%5c/gi, '\\');
          return { status, headers: { ...(status === 307 && { location }) }, body: null };
        },
      { 307: /%2f|%5c/i, 400: /%00/, 404: /\w\/\// },
    ),
  ],
  'haproxy-closes': [
    'has HAProxy in front, which closes after %00, odd methods and long URLs',
    front(() => 'close', { 400: /%00|^TRACE|^FOO/, 414: 1_000 }),
  ],
});

export const firewalls = strangers({
  '60-in-a-minute': [
    'says 429 and Retry-After: 30 for 30 s after 60 refusals in a minute',
    blocking([60, 60, 30], () => {
      const reply = message(429, 'Too Many Requests')();
      return { ...reply, headers: { ...reply.headers, 'retry-after': '30' } };
    }),
    often,
  ],
  tarpit: [
    'answers 4 s late for half a minute after 120 refusals',
    blocking([120, ever, 30], async ({ ask, request }) => ({ ...(await ask(request)), delay: 4_000 })),
    'time',
  ],
  'malformed-for-good': [
    'closes for good after 40 malformed requests',
    blocking([40, ever, ever], 'close', ({ reply }) => reply.status === 400 || reply.status === 422),
    blocked,
  ],
});

export const rollouts = strangers({
  'all-401': ['says 401 to everybody for 4 s, after 15 s', during([15], 4, message(401, 'Unauthorized'))],
  'all-503': ['is under maintenance for 10 s, after 22 s: 503', during([22], 10, page(503))],
  'all-hanging': ['answers nothing that comes in 2 s, after 14 s', during([14], 2, 'hang')],
});

export const keys = strangers({
  'narrow-key-lost': [
    'loses only-site-write in one gateway of two for 6 s, after 20 s',
    (scene) => {
      const isLost = inTurn();
      return during([20], 6, forbidden, (asked) => named(/^only-site-write$/)(asked) && isLost())(scene);
    },
  ],
  'full-key-lost': ['loses the key full for 3 s, after 18 and 44 s', during([18, 44], 3, forbidden, named(/^full$/))],
  'scopes-lost': [
    'reads the scopes of narrow keys anew for 4 s, after 16 s, and allows them nothing',
    during([16], 4, () => errorWith(403, 'FORBIDDEN', 'Operation not allowed'), named(/^only-|^links$/)),
  ],
});

export const stores = strangers({
  azure: [
    'stores in Azure, which says 201, and 403 in XML',
    store(201, { etag: '"0x8DD3F4E5A6B7C80"' }, xml(403, 'AuthenticationFailed'), (token, end) => {
      return `https://partner.blob.example/f/${token.slice(0, 24)}?sv=2024-11-04&se=${end}&sr=b&sp=cw&sig=${token}%3D`;
    }),
  ],
  'long-urls': [
    'stores at URLs of two thousand characters',
    store(200, {}, xml(403, 'AccessDenied'), (token) => `https://files.example/p?t=${token.repeat(30)}&s=${token}`),
  ],
  'each-url-once': [
    'takes each URL once, and says 412 to the next PUT',
    (scene) => {
      const used = new Set<string>();
      const take = onReply(({ id, ok, request }) => void (id === 'storage' && ok && used.add(request.url)));
      const when = {
        id: 'storage',
        where: ({ request }: { request: { url: string } }) => used.has(request.url),
      } as const;
      return chain(take, answering(when, xml(412, 'ConditionNotMet')))(scene);
    },
  ],
  'whole-seconds': [
    'writes the end of a URL in whole seconds with an offset',
    expiring((at) => `${iso(at + 7_200_000).slice(0, 19)}+02:00`),
  ],
});

export const networks = strangers({
  'replies-lost': [
    'loses one reply in a hundred, and closes: what was asked is done',
    random((chance) => onReply(({ id }) => (id !== 'storage' && chance() < 0.01 ? endConnection() : undefined))),
  ],
  'proxy-that-repeats': [
    'is behind a proxy that sends one GET and one label write in ten twice, as they are idempotent',
    random((chance) =>
      instead(async (asked) => {
        const { key, mock, ask, request } = asked;
        const isSafe = request.method === 'GET' || labelWriteOf(asked)?.label?.visibility === 'public';
        if (!isSafe || !key || key.revoked || chance() > 0.1) return undefined;
        await ask(as(mock, request, key.tenant, key.scopes));
        return ask(request);
      }),
    ),
  ],
  'cut-off-often': ['is cut off for a second, every 12 s or so', during(about(12), 1, 'close')],
});

export const lag = strangers({
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

export const colleagues = strangers({
  'label-on-link': ['puts a label on the link, after 16 s', colleague('estimate-sent', link, [16])],
  'often-on-open': [
    'labels the open conversation, and takes it off, every 3 s or so',
    colleague('parts-on-order', open, about(3)),
    'the record hardly ever rests',
  ],
  'same-words': [
    'write the same in all conversations, every 7 s or so',
    writing(any, about(7), () => 'This is a reminder: your appointment is tomorrow between 9 and 11.'),
  ],
  'label-renamed': [
    'renames the label warranty, after 22 s',
    (scene) => {
      const { clock } = scene.mock;
      const at = clock.now() + 22_000;
      return saying((body) => (clock.now() < at ? body : body.replaceAll('"warranty"', '"warranty (2 years)"')))(scene);
    },
  ],
  'full-key-1-rps': ['sends a request a second with the key full', shared(1, 1_000, 'full')],
});

export const data = strangers({
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
  'pages-of-three': [
    'lists labels in pages of three, and the last page is empty',
    onReplyTo({ id: 'listLabels', ok: true }, ({ reply, request }) => {
      const from = Number(new URL(request.url, 'http://x').searchParams.get('cursor') ?? 0);
      const labels = asArray(objectOf(reply).labels);
      const nextCursor = from < labels.length ? String(from + 3) : null;
      return withProperties(reply, { labels: labels.slice(from, from + 3), nextCursor });
    }),
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
      messages: Array.from({ length: 500 }, (_, i) => told(`${i}: the technician was at ${params.id}, and it runs.`)),
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
      const all = [...mock.tenant(key?.tenant ?? '').publicLabels.values()];
      const labelHistory = asArray(labels).map((label) => ({ label, by: 'Maya Lindqvist' }));
      return {
        availableLabels: all.map(({ name }) => name),
        catalogue: all.map(({ id, name }) => ({ id, name })),
        labelHistory,
      };
    }),
  ],
});

export const thin = strangers({
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
  'one-spare-label': ['is described with one spare label a tenant', { target: oneSpare }, missing],
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
