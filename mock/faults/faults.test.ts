import { beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../spec/random.ts';
import type { FaultSpec } from '../arguments/shapes.ts';
import { createClock } from '../clock.ts';
import { createMock, type Mock } from '../create-mock.ts';
import { pathPattern } from '../paths.ts';
import { acme, globex } from '../proof/acme.ts';
import { contractClient } from '../proof/contract-client.ts';
import { Trace } from '../trace.ts';
import { latencySampler } from './latency.ts';

let mock: Mock;
let client: ReturnType<typeof contractClient>;
beforeEach(async () => {
  mock = await createMock({ clock: createClock(() => Date.parse('2026-11-21T10:00:00Z')), rateLimit: false });
  client = contractClient(mock, acme.full);
});

const label = { params: { id: acme.open, labelId: acme.gateCode } };
const carried = async () => (await client.call('getConversationContext', { params: { id: acme.open } })).body.labels;
const reply = async (key: string = acme.full, url = '/v1/labels', headers = {}) =>
  mock.handle(
    { method: 'GET', url, origin: 'http://x', headers: { 'x-api-key': key, ...headers }, body: null },
    new Trace(),
  );
const unavailable = { status: 503, retryAfter: 2 };

describe('a fault', () => {
  it('replaces the reply for the next N requests, and nothing changes then', async () => {
    const fault = mock.faults.add({ operationId: 'applyConversationLabel', times: 2, reply: unavailable });
    const before = await carried();
    const answers = [];
    for (let i = 0; i < 2; i++) answers.push(await client.call('applyConversationLabel', label));
    expect(answers.map(({ status, headers, body }) => [status, headers['retry-after'], body.error.code])).toEqual([
      [503, '2', 'SERVICE_UNAVAILABLE'],
      [503, '2', 'SERVICE_UNAVAILABLE'],
    ]);
    expect(await carried()).toEqual(before);
    expect(mock.faults.get(fault.id)).toMatchObject({ hits: 2, remaining: 0 });
    expect((await client.call('applyConversationLabel', label)).status).toBe(200);
    expect(mock.journal.list({ status: 503 })[0]).toMatchObject({ refused: 'fault', fault: fault.id, rule: null });
  });

  it('leaves alone what is no operation, and is not used up by it', async () => {
    const fault = mock.faults.add({ times: 1, reply: unavailable });
    const unserved = ['/v1/label', '/v1/conversations', '/v1/site/%E0', `/v1/site/${acme.site}`];
    const method = (url: string) => (url.endsWith(acme.site) ? 'DELETE' : 'GET');
    const statuses = [];
    for (const url of unserved) {
      const headers = { 'x-api-key': acme.full };
      const { status } = await mock.handle({ method: method(url), url, origin: 'http://x', headers, body: null });
      statuses.push(status);
    }
    expect([statuses, mock.faults.get(fault.id)?.hits]).toEqual([[404, 404, 400, 405], 0]);
    expect((await reply()).status).toBe(503);
  });

  it('strikes any path that it names, and uploads', async () => {
    mock.faults.add({ path: '/v1/invoice*', reply: { status: 200, body: { invoices: [] } } });
    mock.faults.add({ times: 1, reply: unavailable });
    expect(await reply(acme.full, '/v1/invoices')).toMatchObject({ status: 200, body: '{"invoices":[]}' });
    const put = { method: 'PUT', url: '/storage/acme/x?X-Amz-Date=1', origin: 'http://x', headers: {}, body: null };
    expect((await mock.handle(put)).status).toBe(503);
  });

  it('lasts for its duration, by the clock of the mock', async () => {
    mock.clock.freeze();
    const fault = mock.faults.add({ lasts: '1m', reply: unavailable });
    expect(fault.endsAt).toBe(mock.clock.now() + 60_000);
    mock.clock.advance('59s');
    expect([(await reply()).status, mock.faults.get(fault.id)?.remaining]).toEqual([503, null]);
    mock.clock.advance('1s');
    expect([(await reply()).status, mock.faults.get(fault.id)]).toEqual([
      200,
      expect.objectContaining({ hits: 1, remaining: 0 }),
    ]);
  });

  it.each(['soon', 0, -5])('cannot last for %s', (lasts) => {
    expect(() => mock.faults.add({ lasts, reply: unavailable })).toThrow(/duration/);
    expect(mock.faults.list()).toEqual([]);
  });

  it.each<[FaultSpec, boolean]>([
    [{ operationId: 'listLabels' }, true],
    [{ operationId: 'getHealth' }, false],
    [{ tenant: 'acme' }, true],
    [{ tenant: 'globex' }, false],
    [{ key: 'full' }, true],
    [{ key: 'none' }, false],
    [{ path: '/v1/*' }, true],
    [{ path: '/v1/label' }, false],
    [{ method: 'get' }, true],
    [{ method: 'PUT' }, false],
  ])('for %j strikes: %s', async (target, struck) => {
    mock.faults.add({ ...target, reply: unavailable });
    expect((await client.call('listLabels')).status).toBe(struck ? 503 : 200);
  });

  it('affects a request after the checks of key and rate', async () => {
    mock.faults.add({ reply: unavailable });
    expect((await client.call('listLabels', { key: 'nobodys-secret-000000' })).status).toBe(403);
    const limited = await createMock({ rateLimit: { burst: 1 }, clock: createClock(() => 1e12) });
    limited.faults.add({ reply: unavailable });
    const { call } = contractClient(limited, acme.full);
    expect([(await call('getHealth')).status, (await call('getHealth')).status]).toEqual([503, 429]);
  });

  it('by probability depends on the seed alone, and comes in bursts', async () => {
    const pattern = async (spec: FaultSpec) => {
      mock.faults.clear();
      mock.faults.add({ ...spec, reply: unavailable });
      let text = '';
      for (let i = 0; i < 200; i++) text += (await client.call('getHealth')).status === 503 ? 'x' : '.';
      return text;
    };
    const some = await pattern({ probability: 0.2, seed: 7 });
    expect(some.split('x').length - 1).toBeGreaterThan(20);
    expect(some.split('x').length - 1).toBeLessThan(60);
    expect(await pattern({ probability: 0.2, seed: 7 })).toBe(some);
    expect(await pattern({ probability: 0.2, seed: 8 })).not.toBe(some);
  });

  it('drops the connection before or after the operation', async () => {
    mock.faults.add({ operationId: 'applyConversationLabel', times: 1, drop: 'before' });
    const at = `/v1/conversation/${acme.open}/label/${acme.gateCode}`;
    const put = () =>
      mock.handle({ method: 'PUT', url: at, origin: 'http://x', headers: { 'x-api-key': acme.full }, body: null });
    const before = await carried();
    expect((await put()).broken).toBe('dropped');
    expect(await carried()).toEqual(before);
    mock.faults.add({ operationId: 'applyConversationLabel', times: 1, drop: 'after' });
    expect((await put()).broken).toBe('dropped');
    expect(await carried()).toContain('gate code needed');
  });

  it('damages the body', async () => {
    mock.faults.add({ times: 1, damage: 'truncated' });
    expect(await reply()).toMatchObject({ status: 200, broken: 'truncated' });
    mock.faults.clear();
    mock.faults.add({ times: 1, damage: 'malformed' });
    const { body } = await reply();
    expect(() => JSON.parse(body ?? '')).toThrow(SyntaxError);
  });

  it('holds the reply back without moving the clock', async () => {
    const at = mock.clock.now();
    mock.faults.add({ operationId: 'listLabels', latency: '250ms' });
    expect((await reply()).delay).toBe(250);
    expect((await reply(acme.full, '/v1/health')).delay).toBeUndefined();
    expect(mock.clock.now()).toBe(at);
    const slow = await createMock({ latency: 40, clock: createClock(() => 1e12) });
    expect(
      await slow.handle({ method: 'GET', url: '/v1/labels', origin: 'http://x', headers: {}, body: null }),
    ).toMatchObject({ status: 403, delay: 40 });
  });

  it('reaches the storage target', async () => {
    mock.faults.add({ path: '/storage/acme/*', times: 1, reply: { status: 503, body: { slow: 'down' } } });
    const { body } = await client.call('startSiteFileUpload', {
      params: { id: acme.site },
      body: { contentType: 'a/b' },
    });
    const { pathname, search } = new URL(body.uploadUrl);
    const put = () =>
      client.send('PUT', pathname + search, {
        body: 'hi',
        key: undefined,
        headers: { 'content-type': 'a/b', host: 'mock.test' },
      });
    expect((await put()).status).toBe(503);
    expect(mock.files.list()[0]?.state).toBe('started');
    expect((await put()).status).toBe(200);
  });

  it.each([204, 205, 304])('a reply of %i has no body, whatever was given', async (status) => {
    mock.faults.add({ reply: { status, body: { a: 1 } } });
    expect(await reply()).toMatchObject({ status, body: null });
  });

  it('can be paused and edited: it keeps its id, its place and its hits', async () => {
    const { id } = mock.faults.add({ times: 2, reply: unavailable });
    mock.faults.add({ reply: { status: 500 } });
    expect((await reply()).status).toBe(503);
    expect(mock.faults.edit(id, { times: 2, reply: unavailable, paused: true })).toMatchObject({
      id,
      hits: 1,
      remaining: 1,
    });
    expect((await reply()).status).toBe(500);
    expect(mock.faults.edit(id, { reply: { status: 502 } })).toMatchObject({ id, hits: 1, remaining: null });
    expect((await reply()).status).toBe(502);
    expect(mock.faults.list().map((fault) => [fault.id, fault.hits])).toEqual([
      [id, 2],
      ['fault-2', 1],
    ]);
    expect(() => mock.faults.edit(id, {})).toThrow('a fault needs an effect');
    expect(() => mock.faults.edit('fault-9', { reply: unavailable })).toThrow('there is no fault fault-9');
    expect(mock.faults.get(id)?.spec).toEqual({ reply: { status: 502 } });
  });

  it('is removed alone, with its tenant, or with all', async () => {
    const one = mock.faults.add({ reply: unavailable });
    mock.faults.add({ tenant: 'acme', reply: unavailable });
    expect([mock.faults.remove(one.id), mock.faults.remove(one.id)]).toEqual([true, false]);
    mock.faults.add({ tenant: 'globex', reply: unavailable });
    mock.reset('acme');
    expect(mock.faults.list().map(({ spec }) => spec.tenant)).toEqual(['globex']);
    expect((await client.call('getHealth', { key: globex.full })).status).toBe(503);
    mock.faults.clear();
    expect(mock.faults.list()).toEqual([]);
  });

  it.each<[FaultSpec, string]>([
    [{}, 'a fault needs an effect'],
    [{ drop: 'after', times: 0 }, 'times'],
    [{ drop: 'after', probability: -1 }, 'probability'],
    [{ reply: { status: 600 } }, 'reply.status'],
    [{ latency: '11m' }, '10 minutes'],
    [{ reply: { status: 500, headers: { Trailer: 'x' } } }, 'reply.headers.Trailer'],
    [{ reply: { status: 500, headers: { 'content-length': '5' } } }, 'set by the server'],
    [{ reply: { status: 500, headers: { 'x-a': 'b\r\nc: d' } } }, 'visible ASCII'],
    [{ reply: { status: 500, headers: { 'a b': 'c' } } }, 'name of a header'],
  ])('%j is refused: %s', (spec, word) => {
    expect(() => mock.faults.add(spec)).toThrow(word);
    expect(mock.faults.list()).toEqual([]);
  });
});

describe('Prefer: code=NNN', () => {
  it.each([400, 401, 403, 404, 422, 429, 500, 503])('answers %i, which the contract declares', async (status) => {
    const headers = { prefer: `respond-async, code=${status}` };
    const answer = await client.call('getConversationContext', { params: { id: acme.open }, headers });
    expect([answer.status, answer.trace.refused]).toEqual([status, 'preferred']);
  });

  it('answers 400 naming the allowed ones for any other', async () => {
    const { status, body } = await client.call('listLabels', { headers: { prefer: 'code=418' } });
    expect(status).toBe(400);
    expect(body.error.message).toContain('listLabels declares; choose one of 200, 400, 401');
  });

  it('leaves the success to the operation, after the checks of key and rate', async () => {
    expect((await client.call('listLabels', { headers: { prefer: 'code="200"' } })).body.labels.length).toBeGreaterThan(
      0,
    );
    expect((await client.call('listLabels', { key: undefined, headers: { prefer: 'code=500' } })).status).toBe(403);
    const limited = await createMock({ rateLimit: { burst: 1 }, clock: createClock(() => 1e12) });
    const prefer = { headers: { prefer: 'code=500' } };
    const { call } = contractClient(limited, acme.full);
    expect([(await call('getHealth', prefer)).status, (await call('getHealth', prefer)).status]).toEqual([500, 429]);
  });

  it('changes nothing', async () => {
    const before = await carried();
    await client.call('applyConversationLabel', { ...label, headers: { prefer: 'code=500' } });
    expect(await carried()).toEqual(before);
  });
});

describe('latency', () => {
  const draw = (...args: Parameters<typeof latencySampler>) => {
    const sample = latencySampler(...args);
    return Array.from({ length: 20_000 }, sample).sort((a, b) => a - b);
  };
  const at = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;

  it('has a long tail with its median and p99', () => {
    const sorted = draw({ median: 50, p99: 2000 }, seededRandom(1));
    expect(Math.abs(at(sorted, 0.5) - 50)).toBeLessThan(3);
    expect(Math.abs(at(sorted, 0.99) - 2000)).toBeLessThan(250);
  });
});

it.each([
  ['/a/b', '/a/b', true],
  ['/a/b', '/a/b?x', true],
  ['/a/b', '/a/bc', false],
  ['/a/*', '/a/b/c', true],
  ['/a/*/c', '/a/b/b/c', true],
  ['/a/*/c', '/a/c', false],
  ['*b*', '/abc', true],
  ['/ab*ba', '/aba', false],
  ['*', '/', true],
])('path %s fits %s: %s', (pattern, url, fits) => {
  expect(pathPattern(pattern)(url)).toBe(fits);
});

it('lists unused faults', async () => {
  const { createMock } = await import('../create-mock.ts');
  const mock = await createMock();
  const { name } = mock.tenants.create({ from: 'acme' });
  mock.faults.add({ tenant: name, operationId: 'listLabels', reply: { status: 503 } });
  mock.faults.add({ tenant: 'acme', latency: 0 });
  expect(() => mock.faults.verifyUsed()).toThrow('2 of 2 faults affected no request:');
  await contractClient(mock, mock.keys.documentedSecretOf(mock.keys.find({ tenant: 'acme', name: 'full' }))).call(
    'getHealth',
  );
  expect(() => mock.faults.verifyUsed()).toThrow(
    `1 of 2 faults affected no request:\n  fault-1: {"tenant":"${name}","operationId":"listLabels"`,
  );
});
