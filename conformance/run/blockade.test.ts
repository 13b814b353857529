import { expect, it } from 'vitest';
import { judge } from '../index.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { virtualMock } from '../proof/trials/virtual-mock.ts';
import { gather } from './run.ts';

const words = '<html>Request blocked.</html>';

/** A run against the mock behind a firewall that refuses requests between these numbers. */
async function runBehind(from: number, to: number, status: number) {
  let asked = 0;
  const { environment, target } = await virtualMock({
    latency: () => 40,
    around:
      ({ handle }) =>
      async (request, trace) => {
        asked++;
        return asked > from && asked <= to ? { status, headers: {}, body: words } : handle(request, trace);
      },
  });
  const journal = memoryJournal();
  const history = await gather(target, { environment, journal, kit: 'test' });
  return { history, asked, report: judge(history, { today: 0 }), pending: await journal.pending() };
}

it.each([403, 503, 401])('a run whose requests are all answered %i from some time on is blocked', async (status) => {
  const { history, asked, report, pending } = await runBehind(1_000, Number.POSITIVE_INFINITY, status);
  expect(history.blocked).toMatch(
    /^blocked since request 1\d\d\d: \d+ to everything that was served before, for a minute/,
  );
  expect(report.exitCode).toBe(3);
  expect(pending.length).toBeGreaterThan(0);
  expect(report.sentence).toContain('blocked since request');
  expect(asked).toBeLessThan(1_600);
  expect(report.rows.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id)).toEqual([]);
});

it('a run goes on after an outage', async () => {
  const { history, report } = await runBehind(1_000, 1_014, 403);
  expect(history.blocked).toBeUndefined();
  expect(history.exchanges.length).toBeGreaterThan(2_000);
  expect(report.sentence).not.toContain('blocked');
});
