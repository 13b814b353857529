import { expect, it } from 'vitest';
import { memoryJournal } from '../journal/write-journal.ts';
import { type VirtualMockOptions, virtualMock } from '../proof/trials/virtual-mock.ts';
import { judgeBy, lawOf } from '../verdict/judge.ts';
import { gather } from './run.ts';

/** Preflight against a mock that answers the first requests with this part in their URL so, and then as it should. */
async function preflightAfter(part: string, status: number, times: number, type = 'application/json') {
  let left = times;
  const { environment, target } = await virtualMock({
    around:
      ({ handle }) =>
      async (request) => {
        if (!request.url.includes(part) || left-- <= 0) return handle(request);
        const body = type === 'text/html' ? '<p>' : JSON.stringify({ error: { code: 'STRAY', message: 'Not now.' } });
        return { status, headers: { 'content-type': type }, body };
      },
  });
  return gather(target, { environment, journal: memoryJournal(), kit: 'test', rules: new Set() });
}

it.each([
  ['/v1/conversation/', 403],
  ['/v1/client/', 404],
])('a single stray reply to %s, %i, says nothing about the target file', async (part, status) => {
  await expect(preflightAfter(part, status, 1)).resolves.toBeDefined();
});

it('a page in place of JSON is what is at a wrong address only if it comes again', async () => {
  // The first request asks with a key that nobody knows.
  await expect(preflightAfter('/v1/labels', 403, 2, 'text/html')).resolves.toBeDefined();
  await expect(preflightAfter('/v1/labels', 403, 3, 'text/html')).rejects.toThrow(/is baseUrl the address of the API/);
});

it('a reply that stays the same does', async () => {
  await expect(preflightAfter('/v1/client/', 404, Number.POSITIVE_INFINITY)).rejects.toThrow(
    /clientSite\.client: .*, or no such operation, which operations\.getClient: null would say/,
  );
});

it('a front that refuses every key after some were served does not make the target file untrue', async () => {
  const refusing = async (after: number) => {
    let sent = 0;
    const around: VirtualMockOptions['around'] =
      ({ handle }) =>
      async (request) =>
        ++sent <= after
          ? handle(request)
          : { status: 403, headers: {}, body: JSON.stringify({ error: { code: 'X', message: 'Not now.' } }) };
    const { environment, target } = await virtualMock({ around });
    return gather(target, { environment, journal: memoryJournal(), kit: 'test', rules: new Set() });
  };
  await expect(refusing(5)).resolves.toBeDefined();
  await expect(refusing(0)).rejects.toThrow(/every key is refused with 403/);
});

it('a gateway with nothing behind it ends the run within seconds, and one operation that is answered so does not', async () => {
  await expect(preflightAfter('/v1/', 502, Number.POSITIVE_INFINITY)).rejects.toThrow(
    /nothing usable comes back, 502 to listLabels, getHealth, getConversationContext/,
  );
  await expect(preflightAfter('/v1/labels', 502, Number.POSITIVE_INFINITY)).resolves.toBeDefined();
});

it('a key that is refused now here and now there does not make the target file untrue', async () => {
  let chance = 2;
  const { environment, target } = await virtualMock({
    around:
      ({ handle }) =>
      async (request) => {
        // One of three workers, by chance, does not know any key.
        chance = (chance * 75 + 74) % 65_537;
        if (!request.headers['x-api-key']?.includes('acme') || chance % 3 > 0) return handle(request);
        const body = JSON.stringify({ error: { code: 'FORBIDDEN', message: 'Unknown key.' } });
        return { status: 403, headers: { 'content-type': 'application/json' }, body };
      },
  });
  const run = gather(target, { environment, journal: memoryJournal(), kit: 'test', rules: new Set() });
  await expect(run).resolves.toBeDefined();
});

it('a tenant that sticks to the worker that served it first is judged', async () => {
  const workers: string[] = [];
  let served = 0;
  const { environment, target } = await virtualMock({
    around:
      ({ handle }) =>
      async (request) => {
        const worker = Math.floor(served++ / 3) % 7;
        const own = target.tenants.find(({ keys }) =>
          keys.some(({ secret }) => secret === request.headers['x-api-key']),
        );
        workers[worker] ??= own?.name ?? '';
        const stuck = target.tenants.find(({ name }) => name === workers[worker]);
        if (own === undefined || stuck === undefined || own === stuck) return handle(request);
        return handle({ ...request, headers: { ...request.headers, 'x-api-key': stuck.keys[0]?.secret ?? '' } });
      },
  });
  const run = gather(target, { environment, journal: memoryJournal(), kit: 'test', rules: new Set() });
  await expect(run).resolves.toBeDefined();
});

it('names each spare label that has the name of a label in use', async () => {
  const { environment, target } = await virtualMock();
  const named = target.tenants.map((tenant) => ({
    ...tenant,
    spareLabels: tenant.spareLabels?.flatMap((one) => ['vip', 'vip'].map((name) => ({ ...one, name }))),
  }));
  const options = { environment, journal: memoryJournal(), kit: 'test', rules: new Set<never>() };
  const run = gather({ ...target, tenants: named }, options);
  await expect(run).rejects.toThrow(
    /tenants\[0]\.spareLabels\[0]: vip is on[\s\S]*tenants\[0]\.spareLabels\[1]: vip is on/,
  );
});

it('asks first with a key that nobody has, which a deployment that has slept might serve', async () => {
  let isAwake = false;
  const { environment, target } = await virtualMock({
    around:
      ({ handle }) =>
      async (request) => {
        if (isAwake) return handle(request);
        isAwake = true;
        return handle({ ...request, headers: { ...request.headers, 'x-api-key': secret } });
      },
  });
  const secret = target.tenants[0]?.keys[0]?.secret ?? '';
  const options = { environment, journal: memoryJournal(), kit: 'test', rules: new Set<never>() };
  const history = await gather(target, options);
  expect(judgeBy(lawOf('auth/unknown-key-is-403'), history)).toMatchObject({ outcome: 'fail' });
});
