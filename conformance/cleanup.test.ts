import { expect, it } from 'vitest';
import { cleanup } from './cleanup.ts';
import { sampleChecks } from './proof/sample-checks.ts';
import { virtualMock } from './proof/virtual-mock.ts';
import { run } from './run.ts';
import { memoryJournal } from './write-journal.ts';

const checks = sampleChecks.filter(({ id }) => id === 'labels/apply');

/** A mock whose DELETE finds nobody while `broken.now`: as if the runner had died before it could restore. */
async function withoutWayBack() {
  const broken = { now: true };
  const world = await virtualMock({
    around: (handle) => async (request, trace) =>
      request.method === 'DELETE' && broken.now ? { status: 500, headers: {}, body: '{}' } : handle(request, trace),
  });
  /** The labels that the open conversation carries, as its own tenant sees them. */
  const carried = async () => {
    const { baseUrl, tenants } = world.target;
    const url = `${baseUrl}/v1/conversation/${tenants[0]?.conversations?.open}/context`;
    const headers = { 'x-api-key': tenants[0]?.keys[0]?.secret ?? '' };
    const reply = await world.environment.send(
      { method: 'GET', url, headers, body: null },
      { timeoutMilliseconds: 1e4 },
    );
    return JSON.parse(new TextDecoder().decode(reply.body)).labels;
  };
  const before = await carried();
  const journal = memoryJournal();
  await run(world.target, { checks, environment: world.environment, journal });
  return { ...world, broken, before, journal, carried };
}

it('finishes what a dead run has borrowed', async () => {
  const { target, environment, journal, broken, before, carried } = await withoutWayBack();
  expect(await carried()).toEqual([...before, 'spare'].sort());
  broken.now = false;
  const { returned, left } = await cleanup(target, { environment, journal });
  expect(left).toEqual([]);
  expect(returned).toEqual([
    'label 1abe1008-0000-4000-8000-000000000008 on conversation c0000001-0000-4000-8000-000000000001 of acme',
  ]);
  expect(await carried()).toEqual(before);
  expect(await journal.pending()).toEqual([]);
});

it('keeps what it could not take off, and says why', async () => {
  const { target, environment, journal } = await withoutWayBack();
  const { returned, left } = await cleanup(target, { environment, journal });
  expect(returned).toEqual([]);
  expect(left[0]?.why).toMatch(/^DELETE .* answered 500$/);
  expect(await journal.pending()).toHaveLength(1);
});

it('names what the target file lacks', async () => {
  const { target, environment, journal, broken } = await withoutWayBack();
  broken.now = false;
  const [acme, globex] = target.tenants;
  const other = { ...target, tenants: globex ? [globex] : [] };
  expect((await cleanup(other, { environment, journal })).left[0]?.why).toBe('the target file has no tenant acme');
  const keyless = {
    ...target,
    tenants: acme ? [{ ...acme, keys: acme.keys.filter(({ name }) => name === 'none') }] : [],
  };
  expect((await cleanup(keyless, { environment, journal })).left[0]?.why).toBe(
    'the target file lacks tenants[0].keys: a key with conversation:write',
  );
});
