import { describe, expect, it } from 'vitest';
import type { Mock } from '../mock/index.ts';
import { checks } from './checks/index.ts';
import { cleanup } from './cleanup.ts';
import type { Environment } from './client/environment.ts';
import { virtualMock } from './proof/virtual-mock.ts';
import { run } from './run.ts';
import { memoryJournal } from './write-journal.ts';

/**
 * The state of a mock but for what every client changes by being there: when the snapshot was taken, and when a key was
 * last used. What was uploaded and never registered is on no site; the mock forgets it a day after its URL has expired.
 */
async function stateOf(mock: Mock): Promise<unknown> {
  const { takenAt: _, ...snapshot } = await mock.snapshot();
  return JSON.parse(JSON.stringify(snapshot), (name, value) => (name === 'lastUsedAt' ? undefined : value));
}

const aDayAndAnHour = 25 * 3_600_000;

/** An environment in which the process dies after so many label writes: what was sent arrives, and nothing follows. */
function dyingAfter(writes: number, environment: Environment) {
  const died = Promise.withResolvers<void>();
  let left = writes;
  const mortal: Environment = {
    ...environment,
    async send(request, options) {
      if (left <= 0) return new Promise(() => undefined);
      if (/\/label\//.test(request.url) && request.method !== 'DELETE') left -= 1;
      if (left > 0) return environment.send(request, options);
      environment.send(request, options).then(() => died.resolve(), died.reject);
      return new Promise(() => undefined);
    },
  };
  return { mortal, died: died.promise };
}

describe('the state of the mock is the same before and after', () => {
  it('a default run', async () => {
    const { mock, environment, target } = await virtualMock({ latency: () => 40 });
    const before = await stateOf(mock);
    const { exitCode } = await run(target, { checks, environment, journal: memoryJournal() });
    expect(exitCode).toBe(0);
    const files = [...mock.tenants.values()].flatMap((tenant) => [...tenant.files.values()]);
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter(({ registered }) => registered !== null)).toEqual([]);
    await environment.sleep(aDayAndAnHour);
    expect(await stateOf(mock)).toEqual(before);
  });

  it('a run that writes what stays: there it is not, so that the comparison is known to tell', async () => {
    const { mock, environment, target } = await virtualMock({ latency: () => 40 });
    const before = await stateOf(mock);
    await run(target, { checks, environment, journal: memoryJournal(), allowLeftovers: true, only: ['upload'] });
    await environment.sleep(aDayAndAnHour);
    expect(await stateOf(mock)).not.toEqual(before);
  });

  it.each([1, 7, 40, 100, 160])('a run that was killed after %i label writes, and cleanup', async (writes) => {
    const { mock, environment, target } = await virtualMock({ latency: () => 40, seed: writes });
    const before = await stateOf(mock);
    const journal = memoryJournal();
    const { mortal, died } = dyingAfter(writes, environment);
    run(target, { checks, environment: mortal, journal });
    await died;
    expect(await journal.pending()).not.toEqual([]);
    const { left } = await cleanup(target, { environment, journal });
    expect(left).toEqual([]);
    await environment.sleep(aDayAndAnHour);
    expect(await stateOf(mock)).toEqual(before);
  });
});
