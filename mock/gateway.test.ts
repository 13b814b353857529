import { beforeEach, describe, expect, it } from 'vitest';
import { operationList, scopes } from '../spec/operations.ts';
import { createClock } from './clock.ts';
import { createMock, type Mock } from './create-mock.ts';
import { acme, globex } from './proof/acme.ts';
import { contractClient } from './proof/contract-client.ts';
import { defaultSeeds } from './seed/generated/tenants.ts';

let mock: Mock;
let now: number;
let client: ReturnType<typeof contractClient>;
beforeEach(async () => {
  now = Date.parse('2026-11-21T10:00:00Z');
  mock = await createMock({ clock: createClock(() => now) });
  client = contractClient(mock, acme.full);
});

const anyParams = {
  id: acme.open,
  clientId: acme.client,
  siteId: acme.site,
  labelId: acme.vip,
};

describe('the key', () => {
  it.each(operationList)(
    '$id: without one, with an unknown, a revoked or a Bearer one the reply is 403',
    async ({ id }) => {
      const params = anyParams;
      const refused = [
        await client.call(id, { params, key: undefined }),
        await client.call(id, { params, key: '' }),
        await client.call(id, { params, key: 'nobodys-secret-000000' }),
        await client.call(id, { params, key: acme.revoked }),
        await client.call(id, { params, key: undefined, headers: { authorization: `Bearer ${acme.full}` } }),
      ];
      expect(refused.map(({ status, trace }) => [status, trace.refused])).toEqual([
        [403, 'no-key'],
        [403, 'no-key'],
        [403, 'unknown-key'],
        [403, 'revoked-key'],
        [403, 'bearer-only'],
      ]);
    },
  );

  it('in the query string is no key', async () => {
    expect((await client.send('GET', `/v1/labels?x-api-key=${acme.full}`, { key: undefined })).status).toBe(403);
  });

  it('is never echoed', async () => {
    const { text } = await client.call('listLabels', { key: 'nobodys-secret-000000' });
    expect(text).not.toContain('nobodys');
  });
});

describe('scopes', () => {
  it.each(operationList.filter((operation) => operation.scopes.length > 0))(
    '$id: each of its scopes is needed, and they suffice alone',
    async ({ id, scopes: needed, hasBody }) => {
      const own = defaultSeeds.find((seed) => seed.tenant === 'acme');
      const keyWith = async (granted: readonly string[]) => {
        const seed = structuredClone(own);
        if (seed === undefined) throw new Error('no acme');
        const scoped = {
          name: 'x',
          secret: 'scoped-secret-00000000',
          scopes: scopes.filter((s) => granted.includes(s)),
        };
        return contractClient(await createMock({ seeds: [{ ...seed, keys: [scoped] }] }), scoped.secret);
      };
      const id1 = id.includes('Client') ? acme.client : id.includes('Site') ? acme.site : acme.open;
      const sent = { params: { ...anyParams, id: id1 }, ...(hasBody && { body: { contentType: 'a/b' } }) };
      for (const scope of needed) {
        const without = await keyWith(scopes.filter((other) => other !== scope));
        const answer = await without.call(id, sent);
        expect([answer.status, answer.body.error.message]).toEqual([403, 'Operation not allowed']);
        expect(answer.trace.why).toBe(`key \`x\` lacks \`${scope}\``);
      }
      expect((await (await keyWith(needed)).call(id, sent)).status).not.toBe(403);
    },
  );
});

describe('the rate limit', () => {
  const burst = (key: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => client.call('listLabels', { key })));

  it('lets 20 of 40 at once pass and answers 429 with Retry-After and one message to the rest', async () => {
    const answers = await burst(acme.limits, 40);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    const throttled = answers.filter(({ status }) => status === 429);
    expect(throttled).toHaveLength(20);
    for (const { text, headers } of throttled) {
      expect(text).toBe('{"message":"Too Many Requests"}');
      expect(headers['retry-after']).toBe('1');
    }
    now += 1000;
    expect((await client.call('listLabels', { key: acme.limits })).status).toBe(200);
  });

  it('is per key: another key of the tenant is untouched', async () => {
    await burst(acme.limits, 40);
    expect((await client.call('listLabels')).status).toBe(200);
  });

  it('limiter/429-comes-before-the-handler: a throttled write changes nothing', async () => {
    await burst(acme.limits, 20);
    const params = { id: acme.site, labelId: acme.gateCode };
    expect((await client.call('applySiteLabel', { params, key: acme.limits })).status).toBe(429);
    const { body } = await client.call('removeSiteLabel', { params: { ...params, labelId: acme.vip } });
    expect(JSON.stringify(body)).not.toContain(acme.gateCode);
  });

  it('limiter/rejected-does-not-consume: under overload the whole rate still gets through', async () => {
    let admitted = 0;
    for (let i = 0; i < 1_000; i++) {
      admitted += Number((await client.call('listLabels', { key: acme.limits })).status === 200);
      now += 10;
    }
    expect(admitted).toBe(20 + 99);
  });

  it('limiter/rejected-does-not-consume: unknown and revoked keys have no bucket', async () => {
    const answers = await burst(acme.revoked, 50);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
  });

  it('limiter/limits-can-be-raised: a raised key is held to its own limit, the others to theirs', async () => {
    const [raised] = mock.keys.list('initech').filter((key) => key.rateLimit !== null);
    expect(raised && mock.keys.limitOf(raised)).toEqual({ perSecond: 50, burst: 100 });
    const secret = defaultSeeds
      .flatMap((seed) => seed.keys)
      .find(({ name, rateLimit }) => name === raised?.name && rateLimit)?.secret;
    const answers = await burst(secret ?? '', 120);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
    expect((await burst(acme.limits, 40)).filter(({ status }) => status === 200)).toHaveLength(20);
  });

  it('can be set for all keys, or taken away', async () => {
    const strict = contractClient(await createMock({ rateLimit: { burst: 2 } }), acme.full);
    const statuses = await Promise.all([1, 2, 3].map(async () => (await strict.call('getHealth')).status));
    expect(statuses).toEqual([200, 200, 429]);
    const free = contractClient(await createMock({ rateLimit: false }), acme.full);
    for (let i = 0; i < 200; i++) expect((await free.call('getHealth')).status).toBe(200);
  });
});

describe('errors/order-of-judgement', () => {
  const large = { 'content-length': String(11 * 1024 * 1024) };
  const exhausted = async () => {
    for (let i = 0; i < 20; i++) await client.call('listLabels', { key: acme.none });
  };

  it('key before rate: an exhausted key that is revoked is 403', async () => {
    await exhausted();
    const [none] = mock.keys.list('acme').filter(({ name }) => name === 'none');
    if (none === undefined) throw new Error('no key none');
    mock.keys.revoke(none);
    expect((await client.call('listLabels', { key: acme.none })).status).toBe(403);
  });

  it('rate before size, size before route, route before scope, scope before form, form before existence', async () => {
    const start = (sent: object) =>
      client.call('startSiteFileUpload', { params: { id: 'nowhere' }, body: {}, ...sent });
    expect((await client.send('POST', '/v1/nothing', { key: acme.none, body: '{', headers: large })).status).toBe(413);
    expect((await client.send('POST', '/v1/nothing', { key: acme.none, body: '{' })).status).toBe(404);
    expect((await start({ key: acme.none })).status).toBe(403);
    expect((await start({})).status).toBe(400);
    expect((await start({ body: { contentType: 'a/b' } })).status).toBe(404);
    await exhausted();
    expect((await client.send('POST', '/v1/nothing', { key: acme.none, body: '{', headers: large })).status).toBe(429);
  });
});

it('gives a key of globex no record of acme', async () => {
  const { body } = await client.call('listLabels', { key: globex.full });
  expect(JSON.stringify(body)).not.toContain(acme.vip);
});

it('says which path was most likely meant, after the key was checked', async () => {
  const asked = async (url: string, key: string | undefined) => (await client.send('GET', url, { key })).body.error;
  expect(await asked('/v1/conversations/c1', acme.full)).toEqual({
    code: 'NOT_FOUND',
    message: 'No operation at /v1/conversations/c1. Did you mean /v1/conversation/c1?',
  });
  expect((await asked('/v1/invoices', acme.full)).message).toBe('No operation at /v1/invoices.');
  expect((await asked('/v1/label', undefined)).message).toContain('No API key');
});
