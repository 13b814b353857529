import { describe, expect, it } from 'vitest';
import type { Exchange } from '../history/exchange.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { killedRun, stateOf } from '../proof/jobs/killed-run.ts';
import { virtualMock } from '../proof/trials/virtual-mock.ts';
import { gather } from './run.ts';

function interruptedAfter(requests: number) {
  const stop = new AbortController();
  return { signal: stop.signal, abort: ({ n }: Pick<Exchange, 'n'>) => n === requests && stop.abort() };
}

describe('the state of the mock is the same before and after', () => {
  it('a default run', async () => {
    const { mock, environment, target } = await virtualMock({ latency: () => 40 });
    const before = await stateOf(mock);
    const { left } = await gather(target, { environment, journal: memoryJournal(), kit: 'test' });
    expect(left).toEqual([]);
    expect(await stateOf(mock)).toEqual(before);
  });

  it('a run with leftovers is the exception, which shows that the comparison works', async () => {
    const { mock, environment, target } = await virtualMock({ latency: () => 40 });
    const before = await stateOf(mock);
    await gather(target, { environment, journal: memoryJournal(), kit: 'test', allowLeftovers: true });
    expect(await stateOf(mock)).not.toEqual(before);
  });

  it.each([
    ['without a key that may write', ':write', {}],
    ['with keys of unknown scope, and without a removal', 'site:write', { removeSiteLabel: null }],
  ])('a run %s', async (_, unknown, operations) => {
    const { mock, environment, target } = await virtualMock({ latency: () => 40 });
    const before = await stateOf(mock);
    const tenants = target.tenants.map((tenant) => ({
      ...tenant,
      keys: tenant.keys.map((key) => ({ ...key, scopes: key.scopes.filter((scope) => !scope.endsWith(unknown)) })),
    }));
    const options = { environment, journal: memoryJournal(), kit: 'test', preflight: false };
    const { left } = await gather({ ...target, tenants, operations }, options);
    expect(left).toEqual([]);
    expect(await options.journal.pending()).toEqual([]);
    expect(await stateOf(mock)).toEqual(before);
  });

  it.each([400, 403])('a run against a deployment that answers every removal %i', async (status) => {
    const refusal = { status, headers: { 'content-type': 'application/json' }, body: '{"error":{"code":"NO"}}' };
    const { mock, environment, target } = await virtualMock({
      around:
        ({ handle }) =>
        async (request) =>
          request.method === 'DELETE' ? refusal : handle(request),
    });
    const before = await stateOf(mock);
    const { left } = await gather(target, { environment, journal: memoryJournal(), kit: 'test' });
    expect(left).toEqual([]);
    expect(await stateOf(mock)).toEqual(before);
  });

  it.each([700, 1_500])('a run that is interrupted after %i requests, while many are under way', async (requests) => {
    const { mock, environment, target } = await virtualMock({ latency: () => 40 });
    const before = await stateOf(mock);
    const { signal, abort } = interruptedAfter(requests);
    const options = { environment, journal: memoryJournal(), kit: 'test', signal, onExchange: abort };
    const { left, skipped } = await gather(target, options);
    expect(left).toEqual([]);
    expect(skipped.find(({ reason }) => reason === 'stopped')?.why).toEqual(['interrupted']);
    expect(await stateOf(mock)).toEqual(before);
  });

  it.each([1, 40, 101, 160, 233, 307, 401])('a run that was killed at request %i, and cleanup', async (at) => {
    expect(await killedRun(at)).toEqual([]);
  });
});
