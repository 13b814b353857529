import { describe, expect, it } from 'vitest';
import { checks } from './checks/index.ts';
import { type Around, asking, withKey } from './proof/around.ts';
import { runVirtually } from './proof/run-virtually.ts';
import { virtualMock } from './proof/virtual-mock.ts';
import { type RunRecord, run } from './run.ts';
import { memoryJournal } from './write-journal.ts';

const having = ({ results }: RunRecord, ...outcomes: string[]) =>
  results.filter(({ outcome }) => outcomes.includes(outcome)).map(({ id, message }) => `${id}: ${message}`);

/** Two whole runs against one mock, the second so many seconds after the first. */
async function twoRuns(offset: number, seed: number) {
  const { mock, environment, target } = await virtualMock({ latency: () => 40, seed });
  const one = () => run(target, { checks, environment, journal: memoryJournal() });
  const first = one();
  await environment.sleep(offset * 1000);
  const records = await Promise.all([first, one()]);
  return { mock, records };
}

describe('of two runs on one tenant at the same time', () => {
  it.each([
    [0, 1],
    [12, 3],
    [45, 4],
  ])('%f s apart, neither fails the deployment for what the other does', async (offset, seed) => {
    const { mock, records } = await twoRuns(offset, seed);
    expect(records.flatMap((record) => having(record, 'fail', 'warn', 'error'))).toEqual([]);
    const [acme] = (await mock.snapshot()).tenants;
    expect(acme?.labels).toEqual({ conversations: {}, sites: {}, links: [] });
  });
});

const spare = '1abe1008-0000-4000-8000-000000000008';
const inOpen = 'c0000001-0000-4000-8000-000000000001';
const apply = asking(new RegExp(`^PUT .*/conversation/${inOpen}/label/${spare}`));

/** After the given apply somebody in the product takes the label off again. */
const meddling =
  (which: (count: number) => boolean): Around =>
  (handle, mock) => {
    let count = 0;
    return async (request, trace) => {
      const reply = await handle(request, trace);
      if (apply(request) && which(++count)) mock.removeLabel('acme', { conversation: inOpen }, spare);
      return reply;
    };
  };

describe('a failure', () => {
  const only = ['labels/apply-adds/open-conversation'];
  const judged = async (around: Around, more = {}) => {
    const { results } = await runVirtually(checks, { mock: { around, latency: () => 40 }, only, ...more });
    return results.find(({ id }) => id === only[0]);
  };

  it('that is there each time fails', async () => {
    expect(await judged(meddling(() => true))).toMatchObject({ outcome: 'fail' });
  });

  it.each([1, 2])('that is gone after %i times is inconclusive, and says so', async (times) => {
    const found = await judged(meddling((count) => count <= times));
    expect(found).toMatchObject({ outcome: 'inconclusive', expected: null });
    expect(found?.message).toMatch(/the label is stored.*; it was not there when the check was repeated/);
  });

  it('beside which labels come and go is inconclusive', async () => {
    let now = 0;
    // Every second somebody puts the label on or takes it off.
    const busy: Around = (handle, mock) => (request, trace) => {
      const second = Math.floor(mock.clock.now() / 1000);
      if (second !== now) {
        if (second % 2 === 0) mock.applyLabel('acme', { conversation: inOpen }, spare);
        else mock.removeLabel('acme', { conversation: inOpen }, spare);
      }
      now = second;
      return handle(request, trace);
    };
    const all = (handle: Parameters<Around>[0], mock: Parameters<Around>[1]) =>
      busy(meddling(() => true)(handle, mock), mock);
    const found = await judged(all);
    expect(found?.outcome).toBe('inconclusive');
    expect(found?.message).toMatch(/somebody else changes labels/);
  });

  it('that could not be repeated, because the run was interrupted, is inconclusive', async () => {
    const stop = new AbortController();
    const around: Around = (handle, mock) => {
      const interrupted = () => {
        stop.abort();
        return true;
      };
      return meddling(interrupted)(handle, mock);
    };
    expect(await judged(around, { signal: stop.signal })).toMatchObject({ outcome: 'inconclusive' });
  });

  it('of the limiter is confirmed too: a key that others use as well proves nothing', async () => {
    const isKept = withKey('acmelimt-fake-secret-0000000000000004');
    // For half a minute somebody else sends 12 requests per second with the key.
    const beside: Around = (handle, mock) => {
      const from = mock.clock.now() + 2_000;
      let next = from;
      return async (request, trace) => {
        const until = Math.min(mock.clock.now(), from + 30_000);
        for (; isKept(request) && next < until; next += 1_000 / 12)
          await handle({ ...request, method: 'GET', url: '/v1/labels', body: null });
        return handle(request, trace);
      };
    };
    const record = await runVirtually(checks, { mock: { around: beside, latency: () => 40 }, only: ['limiter/paced'] });
    expect(having(record, 'fail', 'warn')).toEqual([]);
    expect(having(record, 'inconclusive').join()).toMatch(/^limiter\/paced: .*not there when the check was repeated/);
  });
});
