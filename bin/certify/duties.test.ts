import { expect, it } from 'vitest';
import { seededRandom } from '../../spec/random.ts';
import { rulesFor } from '../../spec/rules.ts';
import { judgeTraffic } from './certify.ts';
import { judgeDuty } from './findings.ts';
import { type ClientReport, clientReportOf, clientReportSchema } from './report/client-report.ts';
import { clientHtmlReport } from './report/html.ts';
import { clientJunitReport } from './report/junit.ts';
import { clientTextReport } from './report/text.ts';
import { duties } from './selection.ts';
import { type Entry, type Traffic, trafficOf } from './traffic.ts';

const key = 'acmefull-fake-secret-0000000000000001';
const site = 'ovaid-517e0001-0000-4000-8000-000000000001';
const fileKey = 'f11e0001-0000-4000-8000-000000000001';
const label = '1abe1008-0000-4000-8000-000000000008';
const storage = `/storage/acme/${fileKey}?X-Amz-Signature=abc`;
const file = `/v1/site/${site}/file`;

let clock = 0;
/** A correct request, 20 ms after the previous one. */
const sent = (method: string, url: string, more: Partial<Entry> = {}): Entry => {
  clock += 20;
  const { requestBody = null } = more;
  return {
    method,
    url,
    requestHeaders: {
      ...(!url.startsWith('/storage') && { 'x-api-key': key }),
      ...(requestBody !== null && { 'content-type': 'application/json' }),
    },
    requestBody,
    requestBytes: requestBody?.length ?? 0,
    sentAt: clock,
    doneAt: clock + 1,
    status: 200,
    headers: {},
    body: null,
    connection: 1,
    fault: false,
    ...more,
  };
};

const target = JSON.stringify({
  fileKey,
  uploadUrl: `http://127.0.0.1:1${storage}`,
  uploadUrlExpiresAt: new Date(300_000).toISOString(),
});
const list = () => sent('GET', '/v1/labels', { body: JSON.stringify({ labels: [{ id: label, name: 'spare' }] }) });
const start = (more: Partial<Entry> = {}) =>
  sent('POST', `${file}/upload-url`, {
    status: 201,
    body: target,
    requestBody: '{"contentType":"image/png"}',
    ...more,
  });
const put = (more: Partial<Entry> = {}) =>
  sent('PUT', storage, { requestHeaders: { 'content-type': 'image/png' }, requestBytes: 9, ...more });
const register = (more: Partial<Entry> = {}) =>
  sent('POST', file, { status: 201, requestBody: JSON.stringify({ fileKey }), ...more });
const apply = (id = label, more: Partial<Entry> = {}) => sent('PUT', `/v1/site/${site}/label/${id}`, more);
const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
/** Requests with these pauses in milliseconds after the previous replies. */
const after = (pauses: readonly number[], make: (last: boolean) => Entry) => {
  const first = make(pauses.length === 0);
  let at = first.doneAt;
  const others = pauses.map((pause, n) => {
    at += pause;
    return { ...make(n === pauses.length - 1), sentAt: at, doneAt: at };
  });
  clock = Math.max(clock, at);
  return [first, ...others];
};
const throttled = (seconds: string) => ({ status: 429, headers: { 'retry-after': seconds } });
const unavailable = (last: boolean) => (last ? list() : { ...list(), status: 503, fault: true });

const good = () => [list(), apply(), start(), put(), register()];

/** Traffic that breaks each duty. */
const bad: Readonly<Record<string, () => readonly Entry[]>> = {
  'client/key-in-header': () => [sent('GET', '/v1/labels', { requestHeaders: { authorization: `Bearer ${key}` } })],
  'client/key-nowhere-else': () => [list(), sent('GET', `/v1/labels?key=${encodeURIComponent(key)}`)],
  'client/key-not-to-storage': () => [
    list(),
    start(),
    put({ requestHeaders: { 'content-type': 'image/png', 'x-api-key': key } }),
  ],
  'client/key-not-in-output': good,
  'client/json-bodies': () => [start({ requestHeaders: { 'x-api-key': key, 'content-type': 'text/plain' } })],
  'client/bytes-to-storage': () => [register({ requestHeaders: { 'x-api-key': key, 'content-type': 'image/png' } })],
  'client/request-size': () => [start({ requestBytes: 11_000_000, status: 413 })],
  'client/known-operations': () => [sent('GET', '/labels', { status: 404 })],
  'client/ids-as-given': () => [list(), apply('spare', { status: 400 })],
  'client/upload-form': () => [start({ requestBody: '{"contentType":"image/png","name":"x"}', status: 400 })],
  'client/upload-content-type': () => [start(), put({ requestHeaders: { 'content-type': 'image/jpeg' }, status: 403 })],
  'client/upload-in-time': () => [start(), put({ sentAt: 300_001, doneAt: 300_002 })],
  'client/register-after-put': () => [start(), register({ status: 422 })],
  'client/register-issued-key': () => [
    start(),
    put(),
    sent('POST', '/v1/site/7/file', { status: 404, requestBody: JSON.stringify({ fileKey }) }),
  ],
  'client/finishes-uploads': () => [start(), put()],
  'client/waits-retry-after': () => after([400], (last) => (last ? list() : { ...list(), ...throttled('1') })),
  'service/clients-back-off': () => [...after([200, 210], unavailable), ...after([205, 200], unavailable)],
  'client/no-needless-retry': () => times(2, () => apply('1abe1008-0000-4000-8000-000000000009', { status: 404 })),
  'client/ends-retrying': () => times(20, () => ({ ...list(), status: 503 })),
  'client/below-the-rate': () =>
    times(30, (n) => ({ ...sent('GET', `/v1/health?${n}`), ...(n % 3 === 0 && throttled('1')) })),
  'client/lists-once': () => times(30, list),
  'client/reuses-connections': () => times(30, (n) => ({ ...sent('GET', '/v1/health'), connection: n })),
};

const judged = (rule: string, entries: readonly Entry[], run: Partial<Pick<Traffic, 'late' | 'printsKey'>> = {}) => {
  const duty = duties.find((one) => one.rule === rule);
  if (duty === undefined) throw new Error(`there is no duty ${rule}`);
  return judgeDuty(duty, [trafficOf(entries, { id: 'a recording', ...run })]);
};

it.each([
  ['was throttled before its body was read', { requestBytes: 27, ...throttled('1') }],
  ['is recorded without its body', { requestBytes: 27 }],
  ['comes in chunks that nobody read', { requestHeaders: { 'transfer-encoding': 'chunked' } }],
])('a request that %s says nothing about the form of it', (_, more) => {
  clock = 0;
  expect(judged('client/upload-form', [start({ requestBody: null, ...more })]).outcome).toBe('not-run');
  expect(judged('client/upload-form', [start({ requestBody: null })]).outcome).toBe('fail');
});

it('has a client that breaks it for every duty', () => {
  expect(Object.keys(bad).sort()).toEqual(duties.map(({ rule }) => rule).sort());
});

it.each(duties.map(({ rule }) => rule))('%s is kept by a client that does all right', (rule) => {
  clock = 0;
  expect(['pass', 'not-run']).toContain(judged(rule, good()).outcome);
});

it.each(Object.keys(bad))('%s is broken, documented musts fail, all else warns', (rule) => {
  clock = 0;
  const { outcome, message } = judged(rule, bad[rule]?.() ?? [], {
    printsKey: rule === 'client/key-not-in-output' && 'using $KEY_1',
  });
  const { provenance, level } = rulesFor('certify').find(({ id }) => id === rule) ?? {};
  expect([outcome, message]).toEqual([
    provenance === 'documented' && level === 'must' ? 'fail' : 'warn',
    expect.any(String),
  ]);
});

it.each([
  [
    'pauses that grow and spread',
    [
      [80, 170, 400],
      [110, 200, 330],
      [95, 290, 610],
      [140, 240, 500],
    ],
    'pass',
  ],
  [
    'full jitter',
    [
      [30, 190],
      [90, 60],
      [55, 310],
      [70, 20],
    ],
    'pass',
  ],
  ['the same pauses each time', times(8, (n) => [100 + (n % 3), 200 + (n % 4)]), 'warn'],
  [
    'the same pauses, some of them longer because the machine is busy',
    times(14, (n) => [100 + (n % 5 === 0 ? 40 : n % 3), 200 + (n % 4 === 0 ? 30 : n % 3)]),
    'warn',
  ],
  ['pauses that differ by whole seconds', times(14, (n) => [1_000 + 1_000 * (n % 2), 2_000 + 1_000 * (n % 3)]), 'pass'],
  [
    'no pauses',
    [
      [2, 1],
      [1, 3],
    ],
    'warn',
  ],
  ['too few to tell', [[200]], 'not-run'],
] as const)('back-off: %s', (_, series, outcome) => {
  clock = 0;
  const otherSteps = times(10, (n) => {
    clock += 5 * n;
    return sent('GET', '/v1/health');
  });
  const retried = series.flatMap((pauses) => after(pauses, unavailable));
  expect(judged('service/clients-back-off', [...otherSteps, ...retried]).outcome).toBe(outcome);
});

it.each([
  ['grow no more than a busy machine hides', times(8, (n) => [150 + 20 * (n % 3), 180 + 20 * (n % 4)]), 80],
  ['vary no more than a busy machine makes them', times(8, (n) => [500 + 30 * (n % 5), 1000 + 30 * (n % 4)]), 60],
] as const)('back-off: pauses that %s are undecided', (_, series, late) => {
  clock = 0;
  const retried = [
    ...times(10, () => sent('GET', '/v1/health')),
    ...series.flatMap((pauses) => after(pauses, unavailable)),
  ];
  expect(judged('service/clients-back-off', retried, { late })).toMatchObject({
    outcome: 'inconclusive',
    message: expect.stringContaining('too busy'),
  });
});

it.each([
  ['client/lists-once', '9 lists among 15 requests', () => [...times(9, list), ...times(6, () => apply())], 'warn'],
  ['client/lists-once', '3 lists among 15 requests', () => [...times(3, list), ...times(12, () => apply())], 'pass'],
  ['client/lists-once', '3 lists alone', () => times(3, list), 'not-run'],
  ['client/reuses-connections', '9 connections', () => times(9, (n) => ({ ...apply(), connection: n })), 'warn'],
  ['client/reuses-connections', '8 connections', () => times(8, (n) => ({ ...apply(), connection: n })), 'not-run'],
  [
    'client/reuses-connections',
    'two connections in turn',
    () => times(12, (n) => ({ ...apply(), connection: n % 2 })),
    'pass',
  ],
  [
    'client/reuses-connections',
    '30 connections at once',
    () => times(30, (n) => ({ ...apply(), sentAt: 0, doneAt: 1_000, connection: n })),
    'not-run',
  ],
  [
    'client/reuses-connections',
    'one request, then 30 connections at once',
    () => [
      { ...apply(), sentAt: 0, doneAt: 1_000, connection: 0 },
      ...times(30, (n) => ({ ...apply(), sentAt: 1_500, doneAt: 2_500, connection: n })),
    ],
    'not-run',
  ],
  ['client/below-the-rate', '3 requests', () => times(3, () => apply()), 'not-run'],
  ['client/below-the-rate', '10 requests', () => times(10, () => apply()), 'pass'],
] as const)('%s: %s', (rule, _, entries, outcome) => {
  clock = 0;
  const { message, ...result } = judged(rule, entries());
  expect(result.outcome).toBe(outcome);
  if (outcome === 'not-run') expect(message).toMatch(/^it did not send \d+ requests in one run/);
});

it('client/lists-once says how many lists came, of those that were asked for', () => {
  clock = 0;
  const all = [...times(9, list), ...times(6, () => sent('GET', '/v1/labels', throttled('1')))];
  expect(judged('client/lists-once', all).message).toContain('9 of 15 requests got the list');
});

const noise = seededRandom(3);
const bytes = Buffer.from(times(1_800, () => Math.floor(noise() * 256)));
it.each([
  ['2.4 KB of Base64', bytes.toString('base64'), 'fail'],
  ['Base64 in lines', bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n'), 'fail'],
  ['Base64 for URLs', bytes.toString('base64url'), 'fail'],
  ['hexadecimal digits', bytes.toString('hex'), 'fail'],
  ['a data URL', 'data:image/png;base64,iVBORw0KGgo=', 'fail'],
  ['bytes as characters', bytes.toString('latin1'), 'fail'],
  ['bytes as numbers', [...bytes], 'fail'],
  ['a buffer of Node', bytes.toJSON(), 'fail'],
  ['a long text', 'The boiler in the cellar has lost its pressure again. '.repeat(50), 'pass'],
  ['a long name of a file', `${'boiler-'.repeat(30)}.png`, 'pass'],
  ['a few numbers', [1, 2, 3], 'pass'],
] as const)('a registration with %s', (_, content, outcome) => {
  clock = 0;
  const requestBody = JSON.stringify({ fileKey, content });
  expect(judged('client/bytes-to-storage', [register({ requestBody })]).outcome).toBe(outcome);
});

it.each([
  ['failed six times', times(6, () => ({ ...list(), status: 503 })), 'pass'],
  ['succeeded after 24 tries', [...times(24, () => ({ ...list(), status: 503 })), list()], 'warn'],
  ['was throttled 24 times', [...times(24, () => ({ ...list(), ...throttled('1') })), list()], 'not-run'],
  ['succeeded at the sixth try', [...times(5, () => ({ ...list(), status: 503 })), list()], 'not-run'],
])('says of a client that %s whether it gives up', (_, entries, outcome) => {
  expect(judged('client/ends-retrying', entries).outcome).toBe(outcome);
});

it('back-off: pauses with a random part of a fifth pass', () => {
  const random = seededRandom(7);
  const pause = (length: number) => length * (1 + 0.2 * random());
  for (let round = 0; round < 200; round++) {
    clock = 0;
    const series = times(21, () => after([pause(100), pause(200)], unavailable));
    expect(judged('service/clients-back-off', series.flat()).outcome).toBe('pass');
  }
});

it.each([
  ['waited', 1_005, 1, 'pass'],
  ['came 30 ms too early', 970, 1, 'fail'],
  ['could not know it yet, on another connection', 60, 2, 'pass'],
  ['sends one at a time and came 940 ms too early, on another connection', 60, 3, 'fail'],
] as const)('a client that %s after Retry-After', (_, pause, connection, outcome) => {
  clock = 0;
  const before = { ...list(), connection: 2 };
  const refused = { ...list(), ...throttled('1') };
  if (connection === 2) before.doneAt = refused.doneAt;
  const other = {
    ...sent('GET', '/v1/health'),
    sentAt: refused.doneAt + pause,
    doneAt: refused.doneAt + pause,
    connection,
  };
  expect(judged('client/waits-retry-after', [before, refused, other]).outcome).toBe(outcome);
});

// The second pause is another one in a report, whose times have microseconds.
it.each([
  [167, '167 ms'],
  [7.5499996, '7.6 ms'],
])('marks what a client should have heeded, and what it did instead, %d', (pause, words) => {
  clock = 0;
  const refused = { ...list(), ...throttled('2') };
  const early = { ...list(), sentAt: refused.doneAt + pause, doneAt: refused.doneAt + 170, connection: 1 };
  const traffic = [trafficOf([refused, early], { id: 'x' })];
  const results = duties.map((duty) => judgeDuty(duty, traffic)).filter(({ outcome }) => outcome === 'fail');
  const client = {
    subject: 'x',
    startedAt: new Date(0),
    only: [],
    runs: 1,
    traffic,
    results,
    notes: [],
    strict: false,
  };
  const page = clientHtmlReport(clientReportOf(client));
  const [card = ''] = /<article.*?<\/article>/s.exec(page) ?? [];
  const marks = [...card.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, text]) => text);
  expect(marks).toEqual(['retry-after: 2', `${words} after that reply`]);
  expect(card.match(/<h4>Reply<\/h4>/g)).toHaveLength(1);
});

it('a page lists what to mend; one cause is one card, and an exchange that two cards need is shown once', () => {
  clock = 0;
  const wrongType = { requestHeaders: { 'content-type': 'text/plain' }, status: 403 };
  const traffic = trafficOf([start(), put(wrongType), register()], { id: 'x' });
  const report = judgeTraffic(traffic, { subject: 'x', startedAt: new Date(0), strict: false });
  const [asked, stored] = ['client/upload-content-type', 'client/register-after-put'];
  const page = clientHtmlReport(report);
  expect(
    [...page.matchAll(/<li><a href="#wrong-([^"]+)">(?:(?!<\/li>).)*<span class="small fail">/g)].map(([, id]) => id),
  ).toEqual([asked, stored]);
  const [, second = ''] = page.match(/<article.*?<\/article>/gs) ?? [];
  expect(second.match(/<a href="#wrong-client\/upload-content-type">shown above<\/a>/g)).toHaveLength(2);
  expect(second.match(/<details class="exchange"/g)).toHaveLength(1);
  expect(second).toContain('f11e0001…0001?…</code>');
  // A signature is of no use later, and a command without it does not run.
  expect(clientTextReport(report)).toMatch(
    /\n\nWhat to mend\n {2}1\. client\/upload-content-type \(fail\)\n {2}2\. client\/register-after-put \(fail\)\n\n.*\nLeast scopes: .*\nnot certified: .*\n$/,
  );
  expect(clientTextReport(report)).toContain(`sent       PUT /storage/acme/${fileKey}?… (a URL for that run only)\n`);
  expect(clientTextReport(report)).toContain('when       x run, after 40 ms\n');
  // A variation in which the request fails that breaks the duty.
  const varied = report.rows.flatMap((row) =>
    row.id === asked ? [row, { ...row, id: 'other-type', kind: 'freedom' as const, advice: 'Take any type.' }] : row,
  );
  const cards = clientHtmlReport({ ...report, rows: varied }).match(/<article.*?<\/article>/gs) ?? [];
  expect(cards).toHaveLength(2);
  expect(cards[0]).toContain('Take any type.</h3>');
});

it('what was not judged is named by what the client would have to do', () => {
  clock = 0;
  const only = ['client/upload-form', 'client/finishes-uploads', 'client/lists-once'];
  const report = judgeTraffic(trafficOf([list()], { id: 'x' }), {
    subject: 'x',
    startedAt: new Date(0),
    strict: false,
    only,
  });
  const act = 'It did not upload a file and register it: client/upload-form, client/finishes-uploads';
  const hint =
    'To have these judged, let a test do what the client did not do here. Faults come only where certify runs the client';
  expect(clientTextReport(report)).toMatch(
    new RegExp(`\nNot run\n  ${hint}.*\n  ${act}\n  It did not send 8 requests in one run: client/lists-once\n`),
  );
  expect(clientTextReport({ ...report, runs: 1 })).toMatch(/ did not do here\.\n/);
  expect(clientHtmlReport(report).replaceAll(/<[^>]*>/g, '')).toContain(act);
  // Each row has its reason, on paper too.
  expect(clientHtmlReport(report).match(/<span class="answer">it did not upload a file/g)).toHaveLength(2);
});

it('a certified client with warnings has nothing to mend', () => {
  clock = 0;
  const entries = [list(), { ...list(), url: '/v1/nothing', status: 404 }];
  const about = { subject: 'x', startedAt: new Date(0), strict: false };
  const page = clientHtmlReport({ ...judgeTraffic(trafficOf(entries, { id: 'x' }), about), again: 'certify -- x' });
  expect(page).toContain('<h1>Certified in part</h1>');
  expect(page).not.toContain('What to mend');
  expect(page).toContain('<p>To certify again:</p>');
});

it('a client is certified in part where --only leaves something out, or certify does not run it', () => {
  clock = 0;
  const only = ['client/key-in-header', 'client/upload-form'];
  const about = { subject: 'x', startedAt: new Date(0), strict: false };
  const words = (report: ClientReport) => [
    clientTextReport(report).trimEnd().split('\n').at(-1),
    clientHtmlReport(report),
  ];
  const [line, page] = words(judgeTraffic(trafficOf([list()], { id: 'x' }), { ...about, only }));
  expect(line).toBe(
    `certified in part: only ${only.join(', ')}: 1 of 2 expectations judged, all met; it covers listLabels; no fault or freedom tried`,
  );
  expect(page).toContain('<h1>Certified in part</h1>');
  expect(page).toContain('verdict warn');
  const report = judgeTraffic(trafficOf([list()], { id: 'x' }), about);
  expect(words(report)[1]).toContain('<h1>Certified in part</h1>');
  expect(words({ ...report, runs: 1 })[1]).toContain('<h1>Certified</h1>');
});

it('names what was not judged, by what would show it', () => {
  clock = 0;
  const about = { subject: 'x', startedAt: new Date(0), strict: false };
  const page = clientHtmlReport(judgeTraffic(trafficOf([list()], { id: 'x' }), about));
  expect(page).toContain('needs no scope');
  expect(page).toMatch(/Not called: getHealth, getConversation, .*getClient\./);
  expect(page).toMatch(
    /<p class="legend"><span class="badge pass">\d+ pass<\/span><span class="badge not-run">\d+ not run<\/span>/,
  );
  expect(page).not.toContain('recording');
  const [, card = ''] = /<h2 id="unjudged">(.*?)<h2/s.exec(page) ?? [];
  expect(card.replaceAll(/<\/?span[^>]*>/g, '')).toContain('<code>npx partnerkit certify -- npm test</code>');
  const lines = [...card.matchAll(/<li>(.*?)<\/li>/g)].map(([, line]) => line?.replaceAll(/<[^>]*>/g, ''));
  expect(lines).toContain('It did not send a request with a body: client/json-bodies, client/bytes-to-storage');
  expect(lines).toContain('It did not get a 429: client/waits-retry-after');
  expect(
    clientHtmlReport(judgeTraffic(trafficOf(good(), { id: 'x' }), { ...about, only: ['client/json-bodies'] })),
  ).not.toContain('id="unjudged"');
});

it('reports in every format, without a secret, and by its schema', () => {
  clock = 0;
  const traffic = [trafficOf(bad['client/key-nowhere-else']?.() ?? [], { id: 'x' })];
  const report = clientReportOf({
    subject: 'npm test <b>',
    startedAt: new Date(0),
    only: [],
    runs: 1,
    traffic,
    results: duties.map((duty) => judgeDuty(duty, traffic)),
    notes: [],
    strict: false,
  });
  expect(clientReportSchema.parse(report)).toMatchObject({
    verdict: 'not-certified',
    exitCode: 1,
    scopes: { line: 'none' },
  });
  const page = clientHtmlReport(report);
  for (const text of [page, clientJunitReport(report), JSON.stringify(report), clientTextReport(report)]) {
    expect(text).toContain('client/key-nowhere-else');
    expect(text).not.toContain(key);
    expect(text).toContain('$KEY_1');
  }
  expect(page).toContain('</b> fail</h3> <span class="soft">what the contract asks for is broken</span>');
  expect(page).not.toContain('</b> observed</h3>');
  // The line in which the key is misplaced.
  expect(page).toMatch(/<mark>[^<]*\$KEY_1/);
  expect(page).not.toContain('<mark>x-api-key');
  // The reply has nothing to do with it.
  expect(page).toContain('<summary>Reply</summary>');
  // The cards say it already.
  expect(page).toContain('<details class="section"><summary><h3 class="badge fail"><b>1</b>');
  const [head = ''] = /<header.*<\/header>/s.exec(page) ?? [];
  expect(head).toContain('1970-01-01 00:00:00 UTC');
  expect(head).not.toContain('client/');
  expect(head).toContain('<p>The client breaks 1 documented duty.</p>');
  expect(head).toMatch(/<rect class="fail" x="0" width="1"/);
  // The request of a card is folded, because its URL may be as long as the card.
  expect(/<article.*?<\/article>/s.exec(page)?.[0]).not.toContain('curl');
  expect(page).not.toContain('<b>npm');
  expect(page).toContain('npm test &lt;b&gt;');
});
