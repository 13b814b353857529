import { request } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServedMock, type Mock } from '../adapters/create-served-mock.ts';
import type { ListeningMock } from '../adapters/node-http.ts';
import { createClock } from '../clock.ts';
import { acme } from '../proof/acme.ts';
import { controlClient, controlOperations } from '../proof/control-client.ts';
import type { ControlOptions } from './control-route.ts';

let mock: Mock;
let server: ListeningMock;
let control: ReturnType<typeof controlClient>;
let keyId: string;
beforeAll(async () => {
  mock = await createServedMock({ clock: createClock(() => Date.parse('2026-11-21T10:00:00Z')) });
  server = await mock.listen({ port: 0 });
  control = controlClient(server.url);
  keyId = mock.keys.find({ tenant: 'acme', name: 'full' }).id;
});
afterAll(() => mock.close());

/** Everything that a request could have changed. */
const state = async () => JSON.stringify([await mock.snapshot(), mock.faults.list(), mock.journal.size]);

const unknownId = '00000000-0000-4000-8000-000000000000';
const badBodies: readonly [string, unknown, string][] = [
  ['POST /reset', { tenant: 'nobody' }, 'nobody'],
  ['POST /reset', { tenants: 'acme' }, 'tenants'],
  ['POST /clock/advance', {}, 'body.by'],
  ['POST /clock/advance', { by: -1 }, 'body.by'],
  ['POST /clock/advance', { by: 'soon' }, 'soon'],
  ['POST /clock/freeze', { at: 'noon' }, 'noon'],
  ['POST /clock/reset', { now: true }, 'body.now'],
  ['POST /journal/count', { status: 'bad' }, 'body.status'],
  ['POST /journal/verify', {}, 'body.times'],
  ['POST /journal/verify', { times: -1 }, 'body.times'],
  ['POST /journal/verify', { times: 1, query: { operation: 'x' } }, 'body.query.operation'],
  ['POST /faults', {}, 'a fault needs an effect'],
  ['POST /faults', { reply: { status: 99 } }, 'body.reply.status'],
  ['POST /faults', { reply: { status: 503 }, operationId: 'noSuch' }, 'body.operationId'],
  ['POST /faults', { reply: { status: 503 }, tenant: 'nobody' }, 'nobody'],
  ['POST /faults', { latency: '5 parsecs' }, '5 parsecs'],
  ['POST /faults', { latency: { median: '1s', p99: '10ms' } }, 'p99'],
  ['POST /faults', { drop: 'before', probability: 2 }, 'body.probability'],
  ['POST /faults', { reply: { status: 200, headers: { 'x-a': 'a\r\nb: c' } } }, 'visible ASCII'],
  ['PUT /wrong', {}, 'id or habit'],
  ['PUT /wrong', { id: 'auth/no-key-is-402' }, 'did you mean auth/no-key-is-401?'],
  ['PUT /wrong', { habit: 'bucket-30', chance: 0.5 }, 'chance and seed need an id'],
  ['PUT /wrong', { id: 'auth/no-key-is-401', chance: 2 }, 'body.chance'],
  ['POST /tenants', {}, 'body.from'],
  ['POST /tenants', { from: 'nobody' }, 'nobody'],
  ['POST /tenants', { from: 'acme', name: 'globex' }, 'globex'],
  ['POST /tenants', { from: 'acme', name: '../etc' }, 'lower-case'],
  ['POST /keys', { tenant: 'acme', name: 'x' }, 'body.scopes'],
  ['POST /keys', { tenant: 'acme', name: 'x', scopes: ['site:reed'] }, 'site:read'],
  ['POST /keys', { tenant: 'acme', name: 'full', scopes: [] }, 'already'],
  ['POST /keys', { tenant: 'nobody', name: 'x', scopes: [] }, 'nobody'],
  ['POST /keys', { tenant: 'acme', name: 'x', scopes: [], rateLimit: { perSecond: 0, burst: 1 } }, 'perSecond'],
  ['PATCH /keys/KEY', { name: 'other' }, 'body.name'],
  [`PATCH /keys/${unknownId}`, { scopes: [] }, unknownId],
  [`POST /keys/${unknownId}/revoke`, {}, unknownId],
  ['POST /keys/KEY/regenerate', { secret: 'mine' }, 'body.secret'],
  ['POST /restore', {}, 'version'],
  ['POST /restore', { version: 2 }, 'version'],
  ['PUT /tenants/acme/conversation/nope/label/vip', undefined, 'nope'],
  [`PUT /tenants/acme/conversation/${acme.open}/label/nope`, undefined, 'nope'],
  [`PUT /tenants/nobody/conversation/${acme.open}/label/vip`, undefined, 'nobody'],
  ['GET /journal?status=abc', undefined, 'query.status'],
  ['GET /journal?limit=-1', undefined, 'query.limit'],
  ['GET /journal?tenant=a&tenant=b', undefined, 'query.tenant'],
  ['GET /journal/abc', undefined, 'abc'],
  ['GET /files/%ZZ', undefined, '%ZZ'],
  ['GET /target?format=xml', undefined, 'query.format'],
  ['GET /health?verbose=1', undefined, 'query.verbose'],
  ['DELETE /tenants/nobody', undefined, 'nobody'],
  ['DELETE /faults/fault-99', undefined, 'fault-99'],
];

describe('bad input', () => {
  it.each(badBodies)('%s %j is refused with a word on %s, and changes nothing', async (line, body, word) => {
    const before = await state();
    const [method = '', path = ''] = line.replace('KEY', keyId).split(' ');
    const { status, body: answer } = await control.send(method, path, body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(answer.error.message).toContain(word);
    expect(await state()).toBe(before);
  });

  const writing = controlOperations.filter(({ method }) => method !== 'GET' && method !== 'DELETE');

  it.each(writing)(
    '$method $path: malformed JSON, another type and 20 MB of it are refused',
    async ({ method, path }) => {
      const before = await state();
      const at = path
        .slice('/_mock'.length)
        .replace('{id}', keyId)
        .replaceAll(/\{\w+\}/g, 'x');
      const statuses = [
        (await control.send(method, at, '{"a":')).status,
        (await control.send(method, at, '[]')).status,
        (await control.send(method, at, 'by=5m', { 'content-type': 'application/x-www-form-urlencoded' })).status,
      ];
      expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true);
      if (path !== '/_mock/restore')
        expect(
          (
            await fetch(server.url + path.replace('{id}', keyId), {
              method,
              body: `"${' '.repeat(300_000)}"`,
              headers: { 'content-type': 'application/json' },
            })
          ).status,
        ).toBe(413);
      expect(await state()).toBe(before);
    },
  );

  it('of any kind never breaks a route', async () => {
    const posts = writing.filter(({ path }) => !path.includes('{'));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...posts), fc.jsonValue({ maxDepth: 2 }), async ({ method, path }, body) => {
        const { status } = await control.send(method, path.slice('/_mock'.length), body === null ? 'null' : body);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 150, seed: 1 },
    );
  });
});

/** fetch does not let one set these headers. */
const statusWith = (headers: Record<string, string>, to: ListeningMock = server, method = 'GET') =>
  new Promise<number>((resolve, reject) => {
    request(`${to.url}/_mock/clock${method === 'POST' ? '/reset' : ''}`, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

describe('who may use it', () => {
  it.each<[string, Record<string, string>, number]>([
    ['another name for this machine', { host: 'rebound.evil.test' }, 403],
    ['localhost, through a tunnel', { host: 'localhost:9999' }, 200],
    ['[::1]', { host: '[::1]:4010' }, 200],
    ['a name that begins like ours', { host: '127.0.0.1.evil.test' }, 403],
    ['a page of another origin', { origin: 'https://evil.test' }, 403],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['a sandboxed page', { origin: 'null' }, 403],
    ['an image on another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of the same site on another port', { 'sec-fetch-site': 'same-site' }, 403],
    ['its own page', { 'sec-fetch-site': 'same-origin' }, 200],
  ])('without a token: %s', async (_, headers, status) => {
    expect(await statusWith(headers)).toBe(status);
    expect(await statusWith(headers, server, 'POST')).toBe(status);
  });

  it.each(['127.0.0.2', 'localhost'])('whoever calls it as it was told to listen: %s', async (host) => {
    const named = await mock.listen({ port: 0, host });
    expect(named.controlToken).toBeNull();
    expect(await statusWith({ host: `${host}:${named.port}` }, named)).toBe(200);
    expect(await statusWith({ host: `${host}.evil.test` }, named)).toBe(403);
  });

  it('its own page, by Origin', async () => {
    expect(await statusWith({ origin: server.url, host: new URL(server.url).host })).toBe(200);
  });

  it.each<[string, string, ControlOptions]>([
    ['given', '127.0.0.1', { token: 'a-token-of-mine' }],
    ['made up where other machines reach it', '0.0.0.0', {}],
  ])('a token, %s', async (_, host, options) => {
    const guarded = await mock.listen({ port: 0, host, control: options });
    const { controlToken } = guarded;
    expect(controlToken?.length).toBeGreaterThan(10);
    expect(await statusWith({}, guarded)).toBe(401);
    expect(await statusWith({ authorization: 'Bearer wrong' }, guarded)).toBe(401);
    expect(await statusWith({ authorization: `Basic ${controlToken}` }, guarded)).toBe(401);
    expect(await statusWith({ authorization: `Bearer ${controlToken}`, host: 'mock.internal' }, guarded)).toBe(200);
    expect(await statusWith({ authorization: `Bearer ${controlToken}`, origin: 'https://evil.test' }, guarded)).toBe(
      403,
    );
  });

  it('nobody if it is switched off: its paths get the reply of an unknown path', async () => {
    const { url } = await mock.listen({ port: 0, control: false });
    expect((await fetch(`${url}/_mock/clock`, { headers: { 'x-api-key': acme.full } })).status).toBe(404);
  });

  it('no page that CORS would let in', async () => {
    const { headers } = await control.send('GET', '/clock');
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});
