import { describe, expect, it } from 'vitest';
import { type Check, checks } from '../../spec/checks.ts';
import type { Profile } from '../../spec/files/profile-schema.ts';
import { createClock } from '../clock.ts';
import { createMock } from '../create-mock.ts';
import { acme } from '../proof/acme.ts';
import { mockOf } from '../proof/contract-client.ts';

const full = { key: acme.full };
const contentType = { 'content-type': 'a/b' };

describe('the replies of a profile', () => {
  it('have the headers and media types of the deployment, and those of the store stay', async () => {
    const { ask } = await mockOf({
      headers: { 'cache-control': 'no-store' },
      mediaTypes: { error: 'application/problem+json' },
    });
    const [ok, refused] = [await ask('GET /v1/labels', full), await ask('GET /v1/labels')];
    expect(ok.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(refused.headers).toMatchObject({ 'content-type': 'application/problem+json' });
    const { json } = await ask(`POST /v1/site/${acme.site}/file/upload-url`, { ...full, body: { contentType: 'a/b' } });
    expect((await ask(`PUT ${json.uploadUrl}`, { headers: contentType })).headers).not.toHaveProperty('cache-control');
  });

  it('have its properties: added where a record has none, replaced, left out, in a wrapper', async () => {
    const { ask } = await mockOf({
      bodies: {
        getSite: {
          add: { region: 'north', city: 'Nowhere', 'clients[].vip': true },
          replace: { sla: '4 h' },
          omit: ['zip'],
        },
        getClient: { in: 'data', add: { 'data.score': 1, meta: { page: 1 } } },
      },
      errorBody: { add: { requestId: 'r-1' } },
      errors: { 'unknown-site': { status: 404, message: 'Gone fishing' } },
    });
    const { json: site } = await ask(`GET /v1/site/${acme.site}`, full);
    expect(site).toMatchObject({
      region: 'north',
      sla: '4 h',
      city: 'Austin',
      clients: [{ vip: true }, { vip: true }],
    });
    expect(site).not.toHaveProperty('zip');
    const { json: client } = await ask(`GET /v1/client/${site.primaryClientId}`, full);
    expect(client).toMatchObject({ data: { name: 'Dana Whitfield', score: 1 }, meta: { page: 1 } });
    expect((await ask('GET /v1/site/none', full)).json).toMatchObject({
      requestId: 'r-1',
      error: { code: 'NOT_FOUND', message: 'Gone fishing' },
    });
  });

  it('take as long as there, by operation', async () => {
    const { mock } = await mockOf({ latency: { getHealth: { median: 80, p99: 400 } } });
    const request = { method: 'GET', origin: 'http://127.0.0.1', headers: { 'x-api-key': acme.full }, body: null };
    const delays = async (url: string) =>
      Promise.all(Array.from({ length: 15 }, async () => (await mock.handle({ ...request, url })).delay ?? 0));
    expect((await delays('/v1/health')).sort((a, b) => a - b)[7]).toBeGreaterThan(40);
    expect(await delays('/v1/labels')).toEqual(Array(15).fill(0));
  });
});

it('as many requests pass at once as the profile says, where no reading fits', async () => {
  const clock = createClock();
  clock.freeze();
  const { ask } = await mockOf({ limits: { atOnce: 25 } }, { rateLimit: { perSecond: 10, burst: 20 }, clock });
  const statuses = await Promise.all(
    Array.from({ length: 26 }, async () => (await ask('GET /v1/health', full)).status),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(25);
});

describe('the order of checks of a profile', () => {
  const nobody = '0f0f0f0f-0000-4000-8000-00000000f404';
  const first = (...names: Check[]) => [...names, ...checks.filter((name) => !names.includes(name))];

  it.each<[Check[], string]>([
    [[...checks], 'missing-scope'],
    [first('rate', 'size', 'route', 'ids'), 'malformed-label-id'],
    [first('rate', 'size', 'route', 'record'), 'unknown-conversation'],
    // A malformed id is looked up like any other.
    [first('rate', 'size', 'route', 'label'), 'unknown-label'],
  ])('%j: a request with three reasons to be refused is refused for %s', async (order, refusal) => {
    const { ask } = await mockOf({ order });
    const asked = await ask(`PUT /v1/conversation/${nobody}/label/no-label`, { key: acme.none });
    expect(asked.refused).toBe(refusal);
  });

  it('decides what a body that is too large or wrong is refused for', async () => {
    const large = { key: acme.full, body: 'x'.repeat(11_000_000) };
    const start = `POST /v1/site/${nobody}/file/upload-url`;
    const refusedBy = async (...names: Check[]) =>
      (await (await mockOf({ order: first(...names) })).ask(start, large)).refused;
    expect(await refusedBy('rate', 'route', 'record')).toBe('unknown-site');
    expect(await refusedBy('rate', 'size', 'record')).toBe('too-large');
    const { ask } = await mockOf({ order: first('rate', 'size', 'record', 'body') });
    expect((await ask(start, { ...full, body: {} })).refused).toBe('unknown-site');
    expect((await ask(`POST /v1/site/${acme.site}/file/upload-url`, { ...full, body: {} })).refused).toBe(
      'missing-content-type',
    );
  });

  it('lets a route that is unknown take no token', async () => {
    const limits = { rateLimit: { perSecond: 0.001, burst: 1 } };
    const { ask } = await mockOf({ order: first('route', 'rate') }, limits);
    const statuses = [];
    for (const path of ['none', 'none', 'labels', 'labels', 'none'])
      statuses.push((await ask(`GET /v1/${path}`, { key: acme.limits })).status);
    expect(statuses).toEqual([404, 404, 200, 429, 404]);
  });

  it('changes nothing for who is served', async () => {
    const { ask } = await mockOf({ order: first('route', 'rate', 'size', 'label', 'record', 'ids', 'body') });
    const path = `/v1/site/${acme.site}/label/${acme.gateCode}`;
    expect((await ask(`PUT ${path}`, full)).status).toBe(200);
    expect((await ask(`DELETE ${path}`, full)).status).toBe(200);
    expect((await ask('GET /v1/health', full)).status).toBe(200);
  });
});

describe('what a profile permits', () => {
  const path = `/v1/conversation/${acme.open}/label/`;

  it('is to remove a label that cannot be on, which changes nothing', async () => {
    const { ask, mock } = await mockOf({ permits: { removeConversationLabel: ['unknown-label', 'private-label'] } });
    mock.labels.apply('acme', { conversation: acme.open }, acme.privateLabel);
    const before = mock.labels.of('acme', { conversation: acme.open });
    for (const label of ['0f0f0f0f-0000-4000-8000-00000000f404', acme.privateLabel]) {
      const { status, json } = await ask(`DELETE ${path}${label}`, full);
      expect([status, json.conversationId]).toEqual([200, acme.open]);
      expect((await ask(`PUT ${path}${label}`, full)).status).toBe(404);
    }
    expect((await ask(`DELETE ${path}no-label`, full)).refused).toBe('malformed-label-id');
    expect((await ask(`DELETE ${path}${acme.vip}`, full)).status).toBe(200);
    expect(mock.labels.of('acme', { conversation: acme.open })).toEqual(before.filter(({ id }) => id !== acme.vip));
  });

  it('is a body that is not declared as JSON, and an id of any form', async () => {
    const { ask } = await mockOf({
      permits: { startSiteFileUpload: ['not-json'], getConversation: ['malformed-conversation-id'] },
    });
    const start = `POST /v1/site/${acme.site}/file/upload-url`;
    const text = { ...full, headers: { 'content-type': 'text/plain' } };
    expect((await ask(start, { ...text, body: { contentType: 'a/b' } })).status).toBe(201);
    expect((await ask(start, { ...text, body: '{' })).refused).toBe('malformed-json');
    expect((await ask('GET /v1/conversation/no-id', full)).refused).toBe('unknown-conversation');
    expect((await ask('GET /v1/conversation/no-id/context', full)).refused).toBe('malformed-conversation-id');
  });
});

it('a profile may leave out a header, and take an encoded letter for another one', async () => {
  const { ask } = await mockOf({ headers: { allow: null }, encodedLetters: 'other' });
  const { status, headers } = await ask('PATCH /v1/labels', full);
  expect([status, headers.allow]).toEqual([405, undefined]);
  expect((await ask('GET /v1/l%61bels', full)).refused).toBe('unknown-path');
  const { ask: other } = await mockOf({ errors: { 'wrong-method': { status: 404 } } });
  // Allow belongs to a 405.
  expect((await other('PATCH /v1/labels', full)).headers).not.toHaveProperty('allow');
});

describe('the upload flow of a profile', () => {
  const uploaded = async (profile: Profile, put = true) => {
    const { ask } = await mockOf(profile);
    const started = await ask(`POST /v1/site/${acme.site}/file/upload-url`, { ...full, body: { contentType: 'a/b' } });
    const { uploadUrl, fileKey } = started.json;
    const stored = put ? await ask(`PUT ${uploadUrl}`, { body: 'bytes', headers: contentType }) : undefined;
    const register = (name: string) => ask(`POST /v1/site/${acme.site}/file`, { ...full, body: { fileKey, name } });
    return { stored, register, put: () => ask(`PUT ${uploadUrl}`, { body: 'other bytes', headers: contentType }) };
  };

  it('may replace the bytes of a registered file', async () => {
    for (const [profile, status] of [
      [{}, 403],
      [{ upload: { putAfterRegister: 'replaces' } }, 200],
    ] as const) {
      const { register, put } = await uploaded(profile);
      await register('a');
      expect((await put()).status).toBe(status);
    }
  });

  it('has its statuses', async () => {
    const { stored, register } = await uploaded({ upload: { putStatus: 204, registerStatus: 200 } });
    expect([stored?.status, stored?.headers.etag]).toEqual([204, expect.any(String)]);
    expect((await register('a')).status).toBe(200);
  });

  it('may register again: the file stays as it was', async () => {
    const { register } = await uploaded({ upload: { registerTwice: { status: 200 } } });
    const first = await register('first');
    const again = await register('second');
    expect([first.status, again.status, again.json]).toEqual([201, 200, first.json]);
  });

  it('may register a file without bytes as an empty file', async () => {
    const { register } = await uploaded({ upload: { registerBeforePut: { status: 202 } } }, false);
    const { status, json } = await register('empty');
    expect([status, json.size, json.name]).toEqual([202, 0, 'empty']);
  });

  it('may refuse both with other statuses', async () => {
    const upload = { registerTwice: { status: 422 }, registerBeforePut: { status: 409, code: 'TOO_EARLY' } };
    const early = await (await uploaded({ upload }, false)).register('a');
    expect([early.status, early.json.error.code]).toEqual([409, 'TOO_EARLY']);
    const { register } = await uploaded({ upload });
    await register('a');
    expect((await register('a')).json.error.code).toBe('UNPROCESSABLE_ENTITY');
  });
});

describe('the limits of a profile', () => {
  const frozen = () => {
    const clock = createClock(() => 0);
    clock.freeze(1_000_000);
    return clock;
  };

  it.each([
    ['bucket-20', 20, 40],
    ['gcra-21', 21, 41],
    ['bucket-30', 30, 65],
    ['gcra-31', 31, 66],
  ] as const)('%s admits %d at once, and %d of a key raised to 25/s and 40', async (reading, usual, raised) => {
    const { mock, ask } = await mockOf({ limits: { reading } }, { clock: frozen(), rateLimit: {} });
    const special = mock.keys.create('acme', { name: 'raised', scopes: [], rateLimit: { perSecond: 25, burst: 40 } });
    const burst = async (key: string) => {
      let admitted = 0;
      while ((await ask('GET /v1/labels', { key })).status === 200) admitted++;
      return admitted;
    };
    expect([await burst(acme.full), await burst(special.secret)]).toEqual([usual, raised]);
    mock.clock.advance('1s');
    expect([await burst(acme.full), await burst(special.secret)]).toEqual([10, 25]);
    mock.keys.edit(special.key.id, { rateLimit: { perSecond: 1, burst: 5 } });
    mock.clock.advance('1h');
    expect(await burst(special.secret)).toBe({ 'bucket-20': 5, 'gcra-21': 6, 'bucket-30': 6, 'gcra-31': 7 }[reading]);
  });

  it.each([
    ['computed', '2'],
    [7, '7'],
  ] as const)('Retry-After %s', async (retryAfter, header) => {
    const rateLimit = { perSecond: 0.5, burst: 1 };
    const { ask } = await mockOf({ limits: { retryAfter } }, { clock: frozen(), rateLimit });
    await ask('GET /v1/labels', full);
    const { status, headers, json } = await ask('GET /v1/labels', full);
    expect([status, headers['retry-after'], json]).toEqual([429, header, { message: 'Too Many Requests' }]);
  });

  it('bodies of exactly bodyBytes pass', async () => {
    const { ask } = await mockOf({ limits: { bodyBytes: 10_000_000 } });
    const sent = (size: number) =>
      ask(`POST /v1/site/${acme.site}/file/upload-url`, {
        ...full,
        body: `{"contentType":"a/b"${' '.repeat(size - 21)}}`,
      });
    expect((await sent(10_000_000)).status).toBe(201);
    expect((await sent(10_000_001)).status).toBe(413);
  });

  it('are overridden by the options of createMock', async () => {
    const { ask } = await mockOf({ limits: { bodyBytes: 10_000_000 } }, { bodyLimit: 5 });
    const body = { contentType: 'a/b' };
    expect((await ask(`POST /v1/site/${acme.site}/file/upload-url`, { ...full, body })).status).toBe(413);
  });
});

it('a profile of one mock does not change another mock', async () => {
  const other = await createMock();
  const { ask } = await mockOf({ shapes: { labelList: { at: '' } } });
  expect((await ask('GET /v1/labels', full)).json).toEqual(expect.any(Array));
  const reply = await other.handle({
    method: 'GET',
    url: '/v1/labels',
    origin: 'http://mock.test',
    headers: { 'x-api-key': acme.full },
    body: null,
  });
  expect(JSON.parse(reply.body ?? '')).toEqual({ labels: expect.any(Array) });
});
