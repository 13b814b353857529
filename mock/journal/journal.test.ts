import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createClock } from '../clock.ts';
import { createMock, type Mock, type MockOptions } from '../create-mock.ts';
import { acme, globex } from '../proof/acme.ts';
import { contractClient } from '../proof/contract-client.ts';
import { VerificationError } from './verification.ts';

let mock: Mock;
let now: number;
let client: ReturnType<typeof contractClient>;
const start = async (options: MockOptions = {}) => {
  now = Date.parse('2026-11-21T10:00:00Z');
  mock = await createMock({ clock: createClock(() => now), rateLimit: false, ...options });
  client = contractClient(mock, acme.full);
};
beforeEach(() => start());

const label = { params: { id: acme.open, labelId: acme.vip } };
const ids = (query: Parameters<Mock['journal']['list']>[0]) => mock.journal.list(query).map(({ id }) => id);

describe('the journal', () => {
  it('keeps each request and reply, with the key and the reason', async () => {
    await client.call('startSiteFileUpload', { params: { id: acme.site }, body: { contentType: '' } });
    expect(mock.journal.list()).toMatchObject([
      {
        id: 1,
        at: now,
        tenant: 'acme',
        key: 'full',
        operationId: 'startSiteFileUpload',
        request: { method: 'POST', body: { text: '{"contentType":""}', bytes: 18, shortened: false } },
        reply: { status: 400, broken: null, delay: 0 },
        refused: 'empty-content-type',
        why: expect.stringContaining('body.contentType'),
        rule: 'upload/content-type-is-required',
      },
    ]);
  });

  it('is searched by every filter', async () => {
    await client.call('listLabels');
    await client.call('listLabels', { key: globex.full });
    await client.call('applyConversationLabel', label);
    now += 1000;
    await client.call('getConversation', { params: { id: acme.vip } });
    expect(ids({ tenant: 'globex' })).toEqual([2]);
    expect(ids({ tenant: 'acme', key: 'full' })).toEqual([1, 3, 4]);
    expect(ids({ operationId: 'listLabels' })).toEqual([1, 2]);
    expect(ids({ status: 404 })).toEqual([4]);
    expect(ids({ status: '2xx' })).toEqual([1, 2, 3]);
    expect(ids({ method: 'put' })).toEqual([3]);
    expect(ids({ path: '/v1/conversation/*' })).toEqual([3, 4]);
    expect(ids({ path: '/v1/labels' })).toEqual([1, 2]);
    expect(ids({ since: now })).toEqual([4]);
    expect(ids({ until: now })).toEqual([1, 2, 3]);
    expect(mock.journal.count({ tenant: 'acme', status: '2xx' })).toBe(2);
  });

  it('knows the operation of a request that was refused before it was routed, and the name of a revoked key', async () => {
    await start({ rateLimit: { perSecond: 1, burst: 1 } });
    const { secret } = mock.keys.create('acme', { name: 'mine', scopes: [] });
    for (const _ of [1, 2]) await client.call('listLabels', { key: secret });
    mock.journal.verify({ operationId: 'listLabels', status: 429, key: 'mine' }, 1);
    await client.call('listLabels', { key: undefined });
    await client.call('listLabels', { key: 'nobodys-secret-000000' });
    mock.keys.revoke({ tenant: 'acme', name: 'mine' });
    await client.call('applyConversationLabel', { ...label, key: secret });
    expect(mock.journal.list({ status: 403 })).toMatchObject([
      { operationId: 'listLabels', key: null, tenant: null, refused: 'no-key' },
      { operationId: 'listLabels', key: null, tenant: null, refused: 'unknown-key' },
      { operationId: 'applyConversationLabel', key: 'mine', tenant: 'acme', refused: 'revoked-key' },
    ]);
    await client.send('GET', '/v1/nothing', { key: undefined });
    expect(mock.journal.list().at(-1)?.operationId).toBeNull();
  });

  it('forgets the exchanges of a tenant that is removed, and of no other', async () => {
    await start({ journal: { entries: 5 } });
    const { name, keys } = mock.tenants.create({ from: 'acme' });
    for (const key of [acme.full, keys.full?.secret, acme.full, keys.full?.secret, acme.full, acme.full]) {
      await client.call('getHealth', { key });
    }
    const { bytes } = mock.journal.size;
    mock.tenants.remove(name);
    expect(ids({})).toEqual([3, 5, 6]);
    expect(mock.journal.size).toMatchObject({ kept: 3, dropped: 1 });
    expect(mock.journal.size.bytes).toBeLessThan(bytes);
    for (let i = 0; i < 3; i++) await client.call('getHealth');
    expect(ids({})).toEqual([5, 6, 7, 8, 9]);
    expect(mock.tenants.create({ from: 'acme' }).name).not.toBe(name);
  });

  it('drops the oldest over its number, and says how many', async () => {
    await start({ journal: { entries: 3 } });
    for (let i = 0; i < 5; i++) await client.call('getHealth');
    expect(ids({})).toEqual([3, 4, 5]);
    expect(mock.journal.size).toMatchObject({ kept: 3, dropped: 2 });
  });

  it('drops the oldest over its bytes', async () => {
    await start({ journal: { bytes: 20_000 } });
    const big = { params: { id: acme.site }, body: { contentType: 'a'.repeat(3000) } };
    for (let i = 0; i < 5; i++) await client.call('startSiteFileUpload', big);
    const { kept, dropped, bytes } = mock.journal.size;
    expect([kept + dropped, kept < 5, kept > 0, bytes <= 20_000]).toEqual([5, true, true, true]);
    mock.journal.clear();
    expect(mock.journal.size).toEqual({ kept: 0, dropped: 0, bytes: 0 });
  });

  it('shortens a long body and says so', async () => {
    await start({ journal: { bodyBytes: 10 } });
    await client.call('startSiteFileUpload', { params: { id: acme.site }, body: { contentType: 'text/plain' } });
    expect(mock.journal.get(1)?.request.body).toEqual({ text: '{"contentT', bytes: 28, shortened: true });
    expect(mock.journal.get(1)?.reply.body?.shortened).toBe(true);
  });

  it('notifies listeners until they unsubscribe', async () => {
    const heard: number[] = [];
    const stop = mock.journal.subscribe(({ id }) => heard.push(id));
    await client.call('getHealth');
    stop();
    await client.call('getHealth');
    expect(heard).toEqual([1]);
  });

  it('says when it is cleared', async () => {
    const cleared = vi.fn();
    const stop = mock.journal.onClear(cleared);
    mock.journal.clear();
    stop();
    mock.journal.clear();
    expect(cleared).toHaveBeenCalledOnce();
  });

  it('keeps nothing where it is switched off', async () => {
    await start({ journal: false });
    await client.call('getHealth');
    expect(mock.journal.list()).toEqual([]);
  });
});

describe('secrets', () => {
  it('of requests are not in memory while they wait to be redacted', async () => {
    const { secret } = mock.keys.create('acme', { name: 'mine', scopes: [] });
    for (let i = 0; i < 3; i++) await client.call('getHealth', { key: secret });
    const waiting = new Set<string>();
    const redacted = vi.spyOn(mock.keys.secrets, 'apply').mockImplementation((text) => {
      waiting.add(text);
      return text;
    });
    const headers = mock.journal.list().map(({ request }) => request.headers['x-api-key']);
    redacted.mockRestore();
    expect(headers).toEqual(Array(3).fill(`${secret.slice(0, 8)}…`));
    expect([
      [...waiting].some((text) => text.startsWith('/v1/health')),
      [...waiting].some((text) => text.includes(secret.slice(8))),
    ]).toEqual([true, false]);
  });

  it('that are forgotten later are not shown either', async () => {
    const { name, keys } = mock.tenants.create({ from: 'acme' });
    const { secret } = keys.full;
    await client.send('GET', `/v1/labels?mistake=${secret}`);
    mock.tenants.remove(name);
    for (let i = 0; i < 100; i++) mock.tenants.remove(mock.tenants.create({ from: 'acme' }).name);
    expect(JSON.stringify(mock.journal.list())).toContain(secret.slice(0, 8));
    expect(JSON.stringify(mock.journal.list())).not.toContain(secret.slice(8));
  });

  it.each([
    ['authorization', acme.full],
    ['authorization', ` ${acme.full} `],
    ['proxy-authorization', `Basic ${acme.full}`],
    ['x-forwarded-api-key', acme.full],
    ['referer', `https://partner.example/?k=${acme.full}`],
  ])('a key in %s is not shown', async (header, value) => {
    await client.call('getHealth', { headers: { [header]: value } });
    expect(JSON.stringify(mock.journal.list())).not.toContain(acme.full.slice(8));
  });

  it('are in no exchange: keys wherever they stand, bearer tokens, cookies, signatures', async () => {
    const start = {
      params: { id: acme.site },
      headers: { authorization: 'Bearer tok-123456', cookie: 'session=c00kie' },
    };
    await client.call('startSiteFileUpload', { ...start, body: { contentType: 'a/b', key: acme.full } });
    const { body } = await client.call('startSiteFileUpload', { ...start, body: { contentType: 'a/b' } });
    const { pathname, search, searchParams } = new URL(body.uploadUrl);
    const signature = searchParams.get('X-Amz-Signature') ?? 'none';
    await client.send('PUT', pathname + search, { body: 'hi', key: undefined, headers: { 'content-type': 'a/b' } });
    await client.send('GET', `/v1/labels?api_key=${acme.full}&x=1`);
    await client.send('GET', `/v1/conversation/${acme.full}`);
    await client.call('getHealth', { key: 'somebody-elses-production-key' });
    const text = JSON.stringify(mock.journal.list());
    const found = [acme.full, 'tok-123456', 'c00kie', signature, 'somebody'].filter((secret) => text.includes(secret));
    expect(found).toEqual([]);
    expect(mock.journal.get(1)?.request.headers['x-api-key']).toBe('acmefull…');
    expect(mock.journal.get(3)?.tenant).toBe('acme');
    expect(mock.journal.get(4)?.request.url).toBe('/v1/labels?api_key=acmefull…&x=1');
  });

  const wrongPlaces: Readonly<Record<string, (secret: string) => Parameters<typeof client.send>>> = {
    'a header of another name': (secret) => ['GET', '/v1/labels', { headers: { 'api-key': secret } }],
    'a header of any name': (secret) => ['GET', '/v1/labels', { headers: { 'x-partner': secret } }],
    'the name of a header': (secret) => ['GET', '/v1/labels', { headers: { [secret.toLowerCase()]: '1' } }],
    'Basic authentication': (secret) => [
      'GET',
      '/v1/labels',
      { headers: { 'x-auth': `Basic ${btoa(`u:${secret}`)}` } },
    ],
    'a query': (secret) => ['GET', `/v1/labels?k=${secret}`],
    'a query, encoded': (secret) => ['GET', `/v1/labels?q=${encodeURIComponent(btoa(secret))}`],
    'the path': (secret) => ['GET', `/v1/conversation/${secret}/context`],
    'an unknown path': (secret) => ['GET', `/v1/${secret}`],
    'the content type': (secret) => [
      'POST',
      `/v1/site/${acme.site}/file`,
      { headers: { 'content-type': secret }, body: '{}' },
    ],
    'a body': (secret) => ['POST', `/v1/site/${acme.site}/file`, { body: { [secret]: 1 } }],
    'a body that is cut within it': (secret) => [
      'POST',
      `/v1/site/${acme.site}/file`,
      { body: 'x'.repeat(80) + secret },
    ],
  };

  describe.each(Object.entries(wrongPlaces))('made in the portal and sent in %s', (_, requestWith) => {
    it.each(['with the right key', 'without a key', 'with an unknown key'])(
      'are in no exchange, %s',
      async (beside) => {
        await start({ journal: { bodyBytes: 100 } });
        const { secret, key } = mock.keys.create('acme', {
          name: 'mine',
          scopes: ['siteFile:write', 'conversation:read'],
        });
        const keys = {
          'with the right key': secret,
          'without a key': undefined,
          'with an unknown key': 'x'.repeat(40),
        };
        const [method, url, options] = requestWith(secret);
        await client.send(method, url, { ...options, key: keys[beside as keyof typeof keys] });
        const text = JSON.stringify(mock.journal.list()).toLowerCase();
        const shown = [secret.slice(8), btoa(secret).slice(12, 40)].filter((piece) =>
          text.includes(piece.toLowerCase()),
        );
        expect([mock.journal.size.kept, shown]).toEqual([1, []]);
        expect(text).not.toContain(secret.slice(0, 24).toLowerCase());
        // Neither when it no longer opens anything.
        mock.journal.clear();
        mock.keys.regenerate(key.id);
        await client.send(method, url, { ...options, key: undefined });
        expect(JSON.stringify(mock.journal.list()).toLowerCase()).not.toContain(secret.slice(8, 24).toLowerCase());
      },
    );
  });
});

describe('verify', () => {
  it('passes for exact numbers and ranges', async () => {
    for (let i = 0; i < 3; i++) await client.call('getHealth');
    mock.journal.verify({ operationId: 'getHealth' }, 3);
    mock.journal.verify({ operationId: 'getHealth' }, { atLeast: 2, atMost: 3 });
    mock.journal.verify({ operationId: 'listLabels' }, 0);
  });

  it('names the nearest exchanges', async () => {
    await client.call('listLabels');
    await client.call('getConversation', { params: { id: acme.vip } });
    const examine = () => mock.journal.verify({ operationId: 'getConversation', key: 'reader', status: 200 }, 1);
    expect(examine).toThrow(VerificationError);
    expect(examine).toThrow(
      [
        'operationId getConversation, key reader, status 200: expected exactly 1, found 0.',
        `  near miss: #2 GET /v1/conversation/${acme.vip} -> 404 (key full): key is full, not reader; status is 404, not 200`,
      ].join('\n'),
    );
    const { nearMisses } = mock.journal.examine({
      query: { operationId: 'getConversation', key: 'reader', status: 200 },
      times: 1,
    });
    expect(nearMisses.map(({ exchange, misses }) => [exchange.id, misses.length])).toEqual([
      [2, 2],
      [1, 2],
    ]);
  });

  it('lists the exchanges that were too many, and says when there are none or some were dropped', async () => {
    await start({ journal: { entries: 1 } });
    expect(mock.journal.examine({ query: {}, times: 1 }).explanation).toContain('The journal is empty.');
    await client.call('getHealth');
    await client.call('getHealth');
    const { verified, explanation } = mock.journal.examine({ query: { operationId: 'getHealth' }, times: 0 });
    expect(verified).toBe(false);
    expect(explanation).toContain('found: #2 GET /v1/health -> 200');
    expect(explanation).toContain('1 older exchanges were dropped');
  });
});

describe('verification of more than a number', () => {
  const put = { params: { id: acme.open, labelId: acme.vip } };

  it('in sequence: each after the one before, with any exchanges in between', async () => {
    await client.call('listLabels');
    await client.call('getHealth');
    await client.call('applyConversationLabel', put);
    mock.journal.verifySequence([
      { operationId: 'listLabels' },
      { operationId: 'applyConversationLabel', status: 200 },
    ]);
    const backwards = () => mock.journal.verifySequence([{ method: 'put' }, { operationId: 'listLabels' }]);
    expect(backwards).toThrow(VerificationError);
    expect(backwards).toThrow('step 2 of 2 is missing after #3: operationId listLabels');
    // One exchange is one step.
    expect(() => mock.journal.verifySequence([{ method: 'put' }, { method: 'put' }])).toThrow('step 2 of 2');
  });

  it('gaps: at least this far apart, by the clock of the mock', async () => {
    await client.call('listLabels');
    now += 1_999;
    await client.call('listLabels');
    now += 5_000;
    await client.call('listLabels');
    const query = { operationId: 'listLabels' } as const;
    mock.journal.verifyGaps(query, { atLeast: 1_999, atMost: '5s' });
    expect(() => mock.journal.verifyGaps(query, { atLeast: '2s' })).toThrow(
      'operationId listLabels: expected gaps of at least 2000 ms; 1 of 2 gaps differ.\n  #2 GET /v1/labels -> 200 (key full): 1999 ms after #1',
    );
    expect(() => mock.journal.verifyGaps(query, { atMost: 4_999 })).toThrow('5000 ms after #2');
    mock.journal.verifyGaps({ operationId: 'getHealth' }, { atLeast: '2s' });
  });

  it.each([
    [{ body: { contentType: 'image/png' } }, 1],
    [{ body: { contentType: 'image/gif' } }, 0],
    [{ body: 'image/' }, 1],
    [{ headers: { 'X-Request-Id': 'a-*' } }, 1],
    [{ headers: { 'x-request-id': 'b-*' } }, 0],
    [{ replyBody: { labels: [] } }, 0],
    [{ replyBody: 'uploadUrl' }, 1],
    [{ replyHeaders: { 'content-type': 'application/json*' } }, 2],
    [{ since: '2026-11-21T10:00:00Z', until: new Date('2026-11-21T10:00:00.001Z') }, 2],
  ])('is found by %j', async (query, count) => {
    const headers = { 'x-request-id': 'a-1' };
    await client.call('startSiteFileUpload', {
      params: { id: acme.site },
      body: { contentType: 'image/png' },
      headers,
    });
    await client.call('listLabels');
    expect(mock.journal.count(query)).toBe(count);
  });

  it('says how a body or a header differed', async () => {
    await client.call('startSiteFileUpload', { params: { id: acme.site }, body: { contentType: 'image/png' } });
    const query = {
      operationId: 'startSiteFileUpload',
      body: { contentType: 'a/b' },
      headers: { prefer: '*x' },
    } as const;
    expect(mock.journal.examine({ query, times: 1 }).explanation).toContain(
      'header prefer is none, not *x; body does not contain {"contentType":"a/b"}',
    );
  });
});
