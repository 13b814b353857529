import { expect, test } from 'vitest';
import { ruleById } from '../../../spec/rules.ts';
import { type Exchange, objectIn, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { named } from '../../proof/trials/named.ts';
import { tryDefect } from '../../proof/trials/trial.ts';
import { judgeBy } from '../judging/judge.ts';
import { uploadPut } from './upload-put.ts';
import { uploadRegister } from './upload-register.ts';
import { uploadStart } from './upload-start.ts';

const laws = [...uploadStart, ...uploadPut, ...uploadRegister];
const { history: good } = await tryDefect(null, { slow: true, rules: new Set(laws.map(({ rule }) => rule)) });

/** The good history with the last selected exchange changed. */
function edited(meant: (exchange: Exchange) => boolean, change: (exchange: Exchange) => Partial<Exchange>): History {
  const index = good.exchanges.findLastIndex(meant);
  expect(index).toBeGreaterThanOrEqual(0);
  const exchanges = good.exchanges.map((one, i) => (i === index ? { ...one, ...change(one) } : one));
  return { ...good, exchanges };
}

/** The laws that a history breaks, or that cannot decide it although they can decide the good history. */
const broken = (history: History) =>
  laws
    .map((law) => judgeBy(law, history))
    .filter(({ finding, outcome }) => finding.breaches.length > 0 || outcome === 'error' || outcome === 'inconclusive')
    .map(({ id }) => id);

const isStart = ({ operation, status }: Exchange) => operation === 'startSiteFileUpload' && status === 201;
const isRegistration = ({ operation, status }: Exchange) => operation === 'registerSiteFile' && status === 201;
const isPut = ({ operation, twist }: Exchange) => operation === 'storage' && twist === null;
const inSituation = (id: string) => (exchange: Exchange) => exchange.situation.startsWith(id);
const both =
  (...all: readonly ((exchange: Exchange) => boolean)[]) =>
  (exchange: Exchange) =>
    all.every((one) => one(exchange));

/** Replaces fields of a reply, or removes them for undefined. */
const fields = (change: Readonly<Record<string, unknown>>) => (exchange: Exchange) => ({
  body: JSON.stringify({ ...objectIn(exchange), ...change }),
});
const later = (milliseconds: number) => (exchange: Exchange) => {
  const at = Date.parse(String(objectIn(exchange).uploadUrlExpiresAt)) + milliseconds;
  return fields({ uploadUrlExpiresAt: new Date(at).toISOString() })(exchange);
};
const url = (from: string | RegExp, to: string) => (exchange: Exchange) =>
  fields({ uploadUrl: String(objectIn(exchange).uploadUrl).replace(from, to) })(exchange);
const status = (value: number | null) => () => ({ status: value, body: null });
const firstFileKey = String(objectIn(good.exchanges.find(isStart) as Exchange).fileKey);

test('a store that ends the connection for each large file takes none, and a slow network says nothing', () => {
  const large = both(isPut, (one) => one.requestBytes > 1e7);
  const lost = (failure: string) => ({
    ...good,
    exchanges: good.exchanges.map((one) => (large(one) ? { ...one, status: null, body: null, failure } : one)),
  });
  const outcome = (failure: string) => judgeBy(named(laws, 'upload/file-may-exceed-10mb'), lost(failure)).outcome;
  expect(['write EPIPE', 'read ECONNRESET', 'no reply within 30000 ms'].map(outcome)).toEqual([
    'fail',
    'fail',
    'inconclusive',
  ]);
});

test('the correct history breaks no law', () => {
  expect(broken(good)).toEqual([]);
});

/** The reply of a successful start, at the time of another exchange. */
const taken = ({ sentAt }: Exchange) => {
  const uploadUrl = String(objectIn(good.exchanges.find(isStart) as Exchange).uploadUrl).split('?')[0];
  const uploadUrlExpiresAt = new Date(sentAt + 300_000).toISOString();
  const fileKey = crypto.randomUUID();
  const target = { fileKey, uploadUrl: uploadUrl?.replace(firstFileKey, fileKey), uploadUrlExpiresAt };
  return { status: 201, body: JSON.stringify(target) };
};

type Edit = readonly [
  what: string,
  meant: (exchange: Exchange) => boolean,
  change: (exchange: Exchange) => Partial<Exchange>,
];

// From a situation that does nothing with the fileKey.
const idle = both(isStart, ({ twist }) => twist === null, inSituation('upload/start/legacy-site'));

test.each<readonly [...Edit, law: string]>([
  ['a start is answered 200', idle, () => ({ status: 200 }), 'upload/start-is-201'],
  ['a start is answered 404', idle, status(404), 'upload/start-is-201'],
  ['a fileKey is missing', idle, fields({ fileKey: undefined }), 'upload/target-file-key'],
  ['a fileKey is issued twice', idle, fields({ fileKey: firstFileKey }), 'upload/target-file-key'],
  [
    'a fileKey is issued twice, in capitals',
    idle,
    fields({ fileKey: firstFileKey.toUpperCase() }),
    'upload/target-file-key',
  ],
  [
    'a URL is that of another upload',
    idle,
    fields({ fileKey: crypto.randomUUID(), uploadUrl: `https://storage.invalid/${firstFileKey}` }),
    'upload/target-url',
  ],
  ['a fileKey has braces', idle, fields({ fileKey: `{${crypto.randomUUID()}}` }), 'upload/target-file-key'],
  ['a URL is relative', idle, url(/^https?:\/\/[^/]+/, ''), 'upload/target-url'],
  ['a URL is null', idle, fields({ uploadUrl: null }), 'upload/target-url'],
  ['an expiry has no zone', idle, fields({ uploadUrlExpiresAt: '2026-01-01T00:05:00' }), 'upload/target-expiry'],
  ['an expiry is 8 s late', idle, later(8_000), 'upload/url-lives-five-minutes'],
  ['an expiry is 8 s early', idle, later(-8_000), 'upload/url-lives-five-minutes'],
  [
    'a URL says that it lives an hour',
    idle,
    url('X-Amz-Expires=300', 'X-Amz-Expires=3600'),
    'upload/url-lives-five-minutes',
  ],
  [
    'a URL says that it lives a minute',
    idle,
    url('X-Amz-Expires=300', 'X-Amz-Expires=60'),
    'upload/url-lives-five-minutes',
  ],
  [
    'a URL is dated an hour ago',
    idle,
    url(/X-Amz-Date=\w+/, 'X-Amz-Date=20251231T230000Z'),
    'upload/url-lives-five-minutes',
  ],
  ['a store says an hour in its own way', idle, url(/\?.*/, '?Expires=1767229200'), 'upload/url-lives-five-minutes'],
  [
    'another store says an hour in its own way',
    idle,
    url(/\?.*/, '?se=2026-01-01T01:00:00Z'),
    'upload/url-lives-five-minutes',
  ],
  [
    'a URL that was not used dies after four minutes',
    (one) => isPut(one) && one.situation === 'upload/put/expiry' && succeeded(one),
    status(403),
    'upload/url-lives-five-minutes',
  ],
  [
    'an expired URL takes bytes',
    both(isPut, inSituation('upload/put/expiry')),
    status(200),
    'upload/expired-url-is-refused',
  ],
  [
    'an empty contentType is taken',
    (one) => one.credential === 'key' && one.requestBody === '{"contentType":""}',
    taken,
    'upload/content-type-is-required',
  ],
  [
    'null is refused with 404',
    (one) => one.credential === 'key' && one.requestBody === '{"contentType":null}',
    status(404),
    'upload/content-type-is-required',
  ],
  ['a start without a body is taken', (one) => one.twist === 'body/none', taken, 'upload/content-type-is-required'],
  [
    'a property too many is refused with 409',
    (one) => one.twist === 'body/additional-null' && one.credential === 'key',
    status(409),
    'upload/no-additional-properties',
  ],
  [
    'an unknown site is refused with 403',
    inSituation('upload/start/unknown-site'),
    status(403),
    'upload/unknown-site-is-404',
  ],
  [
    'a foreign site is refused with 403',
    inSituation('upload/start/foreign-site'),
    status(403),
    'upload/foreign-site-is-404',
  ],
  ['bytes are not taken', both(isPut, inSituation('upload/put/legacy')), status(403), 'upload/put-accepts-bytes'],
  [
    'bytes are redirected',
    both(isPut, inSituation('upload/register/at-once')),
    status(307),
    'upload/put-accepts-bytes',
  ],
  ['11 MB are not taken', (one) => one.requestBytes > 1e7, status(413), 'upload/file-may-exceed-10mb'],
  [
    'another type is taken',
    (one) => isPut(one) && one.status === 403 && one.situation === 'upload/put/legacy-site',
    status(200),
    'upload/put-content-type-must-match',
  ],
  [
    'bytes are taken by the API',
    (one) => one.twist === 'direct-bytes/text/plain',
    status(200),
    'upload/no-direct-bytes',
  ],
  [
    'a form is taken by the API',
    (one) => one.twist === 'direct-bytes/multipart/form-data',
    status(201),
    'upload/no-direct-bytes',
  ],
  [
    'a registration is answered 404',
    both(isRegistration, inSituation('upload/register/refused-first')),
    status(404),
    'upload/register-takes-file-key',
  ],
  [
    'a registration is answered 422 where others succeeded',
    both(isRegistration, inSituation('upload/register/late')),
    status(422),
    'upload/register-takes-file-key',
  ],
  ['a registration is answered 200', isRegistration, () => ({ status: 200 }), 'upload/registration-reply'],
  ['a registration says another size', isRegistration, fields({ size: 1 }), 'upload/registration-reply'],
  [
    'a fileKey without bytes is refused with 404',
    (one) => one.operation === 'registerSiteFile' && one.status === 422,
    status(404),
    'upload/register-before-put-is-422',
  ],
  [
    'a fileKey is registered twice',
    (one) => one.operation === 'registerSiteFile' && one.status === 409,
    () => ({ status: 201 }),
    'upload/register-twice-is-409',
  ],
  [
    'an unknown fileKey is refused with 422',
    inSituation('upload/register/unknown'),
    status(422),
    'errors/unknown-is-404/file-key',
  ],
  [
    'a stranger registers our fileKey',
    (one) => one.situation === 'upload/register/other-tenant' && one.status === 404,
    status(201),
    'isolation/writes-stay-in-tenant/files',
  ],
])('%s', (_, meant, change, law) => {
  const found = broken(edited(meant, change));
  expect(found).toContain(law);
  // A fault may change the answers to open questions as well.
  const documented = laws.filter(({ rule }) => ruleById(rule).provenance === 'documented').map(({ id }) => id);
  expect(found.filter((id) => id !== law && documented.includes(id))).toEqual([]);
});

test('finds a fileKey that an attempt of another tenant has used up', () => {
  const found = broken(edited(both(isRegistration, inSituation('upload/register/other-tenant')), status(409)));
  expect(found).toEqual(['upload/register-takes-file-key', 'isolation/writes-stay-in-tenant/files']);
});

test.each<Edit>([
  ['a clock that is 4 s ahead', idle, later(4_000)],
  [
    'a clock that is an hour ahead, and says so',
    idle,
    (one) => {
      const date = new Date(one.doneAt + 3_600_000).toUTCString();
      return {
        ...fields({
          uploadUrl: 'https://store.example/f',
          uploadUrlExpiresAt: new Date(one.doneAt + 3_900_000).toISOString(),
        })(one),
        headers: { ...one.headers, date },
      };
    },
  ],
  [
    'an offset and microseconds',
    idle,
    (one) => fields({ uploadUrlExpiresAt: String(objectIn(one).uploadUrlExpiresAt).replace('Z', '000+00:00') })(one),
  ],
  ['one 500 to a start', idle, status(500)],
  ['one start without a reply', idle, status(null)],
  ['one 503 of the store', both(isPut, inSituation('upload/put/legacy')), status(503)],
  ['a type that is not on a list', (one) => one.twist === 'body/other-type', status(422)],
  ['422 in place of 400', (one) => one.twist === 'body/missing', status(422)],
  ['a store that takes bytes once', both(isPut, (one) => one.requestBytes === 16), status(403)],
])('%s breaks none', (_, meant, change) => {
  expect(broken(edited(meant, change))).toEqual([]);
});

test('blames an operation that never succeeds, also when it only answers 5xx', () => {
  const always = (meant: (exchange: Exchange) => boolean, change: Partial<Exchange>): History => ({
    ...good,
    exchanges: good.exchanges.map((one) => (meant(one) ? { ...one, ...change } : one)),
  });
  expect(broken(always(isPut, { status: null, failure: 'connection refused' }))).toContain('upload/put-accepts-bytes');
  expect(broken(always(isPut, { status: 503 }))).toContain('upload/put-accepts-bytes');
  expect(broken(always((one) => one.operation === 'registerSiteFile', { status: 500 }))).toEqual([
    'upload/register-takes-file-key',
  ]);
  expect(broken(always((one) => one.operation === 'registerSiteFile', { status: null }))).toContain(
    'upload/register-takes-file-key',
  );
  expect(
    broken(always((one) => one.operation === 'startSiteFileUpload' && one.twist === null, { status: 500 })),
  ).toContain('upload/start-is-201');
});

test.each(['signature/altered', 'signature/of-another'])(
  'a PUT with %s that succeeds breaks only what is assumed',
  (twist) => {
    expect(broken(edited((one) => one.twist === twist, status(200)))).toEqual(['upload/signature-is-verified']);
  },
);

test('a redirect of a PUT is called a redirect', () => {
  const history = edited(both(isPut, inSituation('upload/put/large')), status(307));
  const [breach] = laws.flatMap((law) => judgeBy(law, history).finding.breaches);
  expect(breach?.observed).toMatch(/^307, a redirect, which is not followed: .* as uploadUrl$/);
});
