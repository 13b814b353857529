import type { Around } from '../../../mock/wrong/tampering/defect.ts';
import { each, errorWith } from '../../../mock/wrong/tampering/json-value.ts';
import { labelWriteOf } from '../../../mock/wrong/tampering/label-write.ts';
import { as, instead, onReply } from '../../../mock/wrong/tampering/tamper.ts';
import { chain, endConnection, inReply, readingUrl } from '../../../mock/wrong/tampering/when.ts';
import { seededRandom } from '../../../spec/random.ts';
import { about, blocking, during, front, inFront, message, page, strangers, within } from './stranger.ts';

const by = (server: string) => (status: number) => page(status, server);
const unmatched = () => message(404, 'no Route matched with those values');
const unknown = '(?!/v1/(conversation|site|client|labels|health))';

/** What stands in front has its own words for what no lawful client sends. The specification gives formats of ids, not refusals. */
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
  nginx: [
    'has nginx in front, which takes doubled slashes for one',
    chain(
      readingUrl(/(?<=.)\/{2,}/g, '/'),
      front(by('nginx'), { 400: /%00|%(?![0-9a-f]{2})/i, 405: /^TRACE|^FOO/, 414: 2_000 }),
    ),
  ],
  'spring-firewall': [
    'has the strict firewall of Spring, which says 400 with a page of Tomcat',
    front(() => page(400, 'Apache Tomcat/10.1'), {
      400: /%(2f|5c|25|00|2e|3b|0a|0d)|;|\w\/\/|\\|^(TRACE|FOO|PROPFIND)/i,
    }),
  ],
  kong: [
    'has Kong in front, which knows routes by patterns of ids, and no others',
    front(unmatched, {
      404: RegExp(`conversation/(?![0-9a-f-]{36}(/|[?]|$))|client/(?!ovcid-)|^[A-Z]+ ${unknown}`, 'i'),
    }),
  ],
  'aws-api-gateway': [
    'has the gateway of AWS in front, which says 403 to unknown paths and methods',
    front(() => message(403, 'Missing Authentication Token'), {
      403: RegExp(`^(TRACE|HEAD|OPTIONS|FOO)|^[A-Z]+ ${unknown}|%00|%25|\\w//`),
    }),
  ],
  iis: [
    'runs behind IIS, which knows no colons, stars, doubled escapes and long URLs',
    front(by('Microsoft-HTTPAPI/2.0'), {
      400: /^[^?]*([:*<>&]|%(3a|2a|3c|3e|26|00))/i,
      404: /%25/,
      414: 2_048,
      501: /^TRACE|^FOO/,
    }),
  ],
  'redirects-of-spellings': [
    'redirects slashes at the end, doubled ones and words in capitals to the usual spelling, before it reads a key',
    front(
      (status) =>
        ({ request: { url } }) => {
          const location = url
            .replace(/(?<=.)\/{2,}/g, '/')
            .replace(/\/+(?=\?|$)/, '')
            .toLowerCase();
          return { ...page(status)(), headers: { 'content-type': 'text/html', location } };
        },
      { 301: /\w\/+(\?|$)|\w\/\//, 308: / \/V1|\/(SITE|CONVERSATION|LABELS|HEALTH|CLIENT)/ },
    ),
  ],
  'haproxy-closes': [
    'has HAProxy in front, which closes after %00, odd methods and long URLs',
    front(() => 'close', { 400: /%00|^TRACE|^FOO/, 414: 1_000 }),
  ],
});

const isOdd = ({ request: { url } }: { request: { url: string } }) => /%00|%25|%2f|\w\/\/|'|%27|\.\.|%3c/i.test(url);
const ever = 1e6;
const blocked = 'from then on it is served nothing';
const often = 'a large part of a run falls into blocks';

/** Firewalls that block who was refused too often: their words are not the service's, and the specification says nothing of them. */
export const firewalls = strangers({
  '150-for-good': [
    'says 403 for good after 150 refusals',
    blocking([150, ever, ever], page(403, 'awselb/2.0')),
    blocked,
  ],
  'odd-paths-10': ['closes for 10 s after 10 odd paths in half a minute', blocking([10, 30, 10], 'close', isOdd)],
  'missing-records': [
    'says 404 with a page for 8 s after 50 replies of 404 in half a minute',
    blocking([50, 30, 8], page(404), ({ reply }) => reply.status === 404),
  ],
  '100-for-good': ['closes for good after 100 refusals', blocking([100, ever, ever], 'close'), blocked],
  '100-in-a-minute': [
    'says 403 with a page for 20 s after 100 refusals in a minute',
    blocking([100, 60, 20], page(403, 'cloudflare')),
    often,
  ],
  'unknown-keys': [
    'says 403 to everything for 15 s after 30 requests with unknown keys in a minute',
    blocking([30, 60, 15], message(403, 'Forbidden'), ({ key, reply }) => !key && reply.status === 403),
    often,
  ],
  'blocks-a-key': [
    'says 403 to a key for 10 s after 40 refusals of this key in a minute',
    blocking([40, 60, 10], message(403, 'Key disabled for a while'), undefined, ({ key }) => key?.name ?? '-'),
    often,
  ],
  challenge: [
    'says 503 with a challenge for 12 s after 80 refusals',
    blocking([80, ever, 12], page(503, 'cloudflare')),
  ],
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
});

const forbidden = () => errorWith(403, 'FORBIDDEN', 'Forbidden');
const missing = () => errorWith(404, 'NOT_FOUND', 'Not found');

/** Gateways and roll-outs that answer otherwise for some seconds. The specification declares 401, 403, 404 and 500, and tells clients to back off on 503. */
export const rollouts = strangers({
  'all-403-twice': ['says 403 to everybody for 3 s, after 10 and 40 s', during([10, 40], 3, forbidden)],
  'no-routes-twice': ['has a front that says 404 for 2 s, after 8 and 33 s', during([8, 33], 2, page(404))],
  'all-502-twice': ['finds no service for 3 s, after 12 and 50 s: 502', during([12, 50], 3, page(502))],
  'all-401': ['says 401 to everybody for 4 s, after 15 s', during([15], 4, message(401, 'Unauthorized'))],
  'all-503': ['is under maintenance for 10 s, after 22 s: 503', during([22], 10, page(503))],
  'no-data': [
    'finds no record for 4 s, after 30 s, as it starts anew without its data',
    during([30], 4, missing, ({ key, params }) => key && !key.revoked && Object.keys(params).length > 0),
  ],
  'all-500': ['says 500 for 5 s, after 18 s', during([18], 5, () => errorWith(500, 'INTERNAL_SERVER_ERROR'))],
  'writes-503': [
    'says 503 to writes for 6 s, after 17 s, as it moves its database',
    during([17], 6, page(503), ({ request }) => request.method !== 'GET'),
  ],
  'one-of-three-404': [
    'rolls out for 12 s, after 20 s: one instance of three knows no routes',
    (scene) => {
      let turn = 0;
      return during([20], 12, message(404, 'Not Found'), () => turn++ % 3 === 0)(scene);
    },
  ],
  // The request had its effect. Who got another reply does not know it.
  'lost-502': [
    'loses its replies for 2 s, after 15 and 35 s: 502',
    (scene) => {
      const isOut = within(scene, [15, 35], 2);
      return onReply(({ id }) => (id !== 'storage' && isOut() ? page(502)() : undefined))(scene);
    },
  ],
  'several-ways': [
    'rolls out after 12 and 45 s: 2 s of 503, 2 s of 404, 1 s of 403',
    chain(during([12, 45], 2, page(503)), during([14, 47], 2, page(404)), during([16, 49], 1, forbidden)),
  ],
  '400-for-seconds': ['says 400 to everybody for 3 s, about every 40 s', during(about(40), 3, page(400))],
  'ids-or-records': [
    'shows labels as ids on old nodes, and as records on new ones',
    inReply({ id: ['applyConversationLabel', 'removeConversationLabel'], ok: true, every: 2 }, ({ labels }) => ({
      labels: each(labels, ({ id = '' }) => id),
    })),
  ],
  'all-hanging': ['answers nothing that comes in 2 s, after 14 s', during([14], 2, 'hang')],
});

type Random = () => number;
const lost = 'a request that is lost again and again proves nothing';
const far = (latency: (random: Random) => number, drops?: (random: Random) => boolean) => ({
  network: { latency, ...(drops && { drops }) },
});
const random =
  (make: (random: Random) => Around): Around =>
  (scene) =>
    make(seededRandom(7))(scene);

/** Networks, near and far. Latencies are one way. */
export const networks = strangers({
  satellite: ['is 1.3 s away, there and back', far((random) => 630 + 40 * random())],
  mobile: ['takes 100 to 800 ms, and at times 1.5 s more', far((r) => 50 + 350 * r() ** 3 + (r() < 0.02 ? 1_500 : 0))],
  lossy: [
    'loses one connection in fifty',
    far(
      (random) => 30 + 20 * random(),
      (random) => random() < 0.02,
    ),
  ],
  queues: ['takes 4 s more one time in forty', far((random) => 25 + (random() < 1 / 80 ? 4_000 : 0))],
  'never-answered': [
    'answers one request in three hundred after half a minute',
    far((r) => 20 + (r() < 1 / 600 ? 31_000 : 0)),
    lost,
  ],
  'company-proxy': [
    'is behind a proxy that says 502 one time in eighty',
    random((chance) => inFront([() => chance() < 1 / 80, page(502, 'squid')])),
  ],
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
