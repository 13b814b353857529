import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { simulatedReport } from '../proof/simulated-report.ts';
import type { LoadReport } from '../report/report-schema.ts';
import { prometheusText } from './prometheus.ts';
import { serveMetrics } from './serve-metrics.ts';
import { count, describeTally, exitCodeOf, newTally } from './tally.ts';
import { openTimeline, rowOf } from './timeline.ts';
import { watch } from './watch.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-watch-'));
afterAll(() => rmSync(folder, { recursive: true }));

const of = { scenario: 'overload', target: 'http://localhost:1' };
const [keeps, breaks] = [simulatedReport(10), simulatedReport(12)];

/** Runs that take 40 s of virtual time each. @returns when each began, in seconds */
async function startsOf(options: {
  every: number;
  rest: number;
  for: number;
  stopAt?: number;
  during?: 'run' | 'sleep';
}) {
  const { stopAt = Number.POSITIVE_INFINITY, during } = options;
  const controller = new AbortController();
  const starts: number[] = [];
  let [now, counted] = [0, 0];
  const pass = (milliseconds: number, what: 'run' | 'sleep') => {
    now += milliseconds;
    if (what === during && now >= stopAt) controller.abort();
  };
  await watch({
    ...options,
    now: () => now,
    sleep: async (milliseconds) => pass(milliseconds, 'sleep'),
    signal: controller.signal,
    run: async () => {
      starts.push(now / 1000);
      pass(40_000, 'run');
      return keeps;
    },
    onReport: () => void counted++,
  });
  return { starts, counted };
}

it('begins a run at every interval, and none after the end', async () => {
  const { starts } = await startsOf({ every: 60_000, rest: 3_000, for: 200_000 });
  expect(starts).toEqual([0, 60, 120, 180]);
});

it('waits until the bucket is full after a run that took longer than the interval', async () => {
  const { starts } = await startsOf({ every: 10_000, rest: 3_000, for: 100_000 });
  expect(starts).toEqual([0, 43, 86]);
});

it('ends when it is told to, without the run that is under way', async () => {
  const long = { every: 60_000, rest: 0, for: 1_000_000, stopAt: 90_000 };
  expect(await startsOf({ ...long, during: 'run' })).toEqual({ starts: [0, 60], counted: 1 });
  expect(await startsOf({ ...long, during: 'sleep' })).toEqual({ starts: [0, 60], counted: 2 });
});

const tallyOf = (...reports: readonly LoadReport[]) => {
  const tally = newTally();
  for (const report of reports) count(tally, rowOf(report));
  return tally;
};

it('says what it has seen, and ends with the matching exit code', () => {
  expect([newTally(), tallyOf(keeps), tallyOf(keeps, breaks, keeps)].map(exitCodeOf)).toEqual([3, 0, 1]);
  const said = describeTally(tallyOf(keeps, breaks));
  expect(said).toMatch(
    /^2 runs, \d+ requests, from 20.*Z to 20.*Z: 1 kept the contract, 1 broke it, 0 could not tell; /,
  );
  expect(said).toContain(`last broken ${breaks.startedAt}: ${breaks.sentence}`);
});

it('continues a timeline, also if a killed watch has left half a line', () => {
  const file = join(folder, 'timeline.ndjson');
  openTimeline(file, of).append(rowOf(keeps));
  const whole = readFileSync(file, 'utf8');
  appendFileSync(file, '{"format":"partnerkit-load-timeli');
  const again = openTimeline(file, of);
  expect(again.rows).toEqual([rowOf(keeps)]);
  again.append(rowOf(breaks));
  expect(readFileSync(file, 'utf8')).toBe(`${whole}${JSON.stringify(rowOf(breaks))}\n`);
  expect(openTimeline(file, of).rows).toEqual([rowOf(keeps), rowOf(breaks)]);
  expect(whole.length).toBeLessThan(1000);
});

it('refuses a file that is no timeline, and does not change it', () => {
  const file = join(folder, 'other.ndjson');
  writeFileSync(file, `${JSON.stringify(rowOf(keeps))}\n{"a": 1}\nand half`);
  expect(() => openTimeline(file, of)).toThrow(`${file}:2: this line is not of a timeline`);
  expect(readFileSync(file, 'utf8')).toMatch(/and half$/);
  expect(() => openTimeline(folder, of)).toThrow('it is a folder; give a file');
});

it('refuses the timeline of another deployment or scenario', () => {
  const file = join(folder, 'of-another.ndjson');
  openTimeline(file, of).append(rowOf(keeps));
  for (const other of [{ scenario: 'soak' }, { target: 'http://localhost:2' }])
    expect(() => openTimeline(file, { ...of, ...other })).toThrow(
      `${file}:1: this is a run of overload against http://localhost:1; give another file`,
    );
});

it('writes the figures for Prometheus, escaped, and leaves out unknown ones', async () => {
  const row = { ...rowOf(breaks), target: 'a "b" \\ c\nd' };
  const text = prometheusText(tallyOf(keeps, breaks), row);
  const labels = 'scenario="overload",target="a \\"b\\" \\\\ c\\nd"';
  expect(text).toContain(`partnerkit_load_runs_total{${labels},outcome="breaks"} 1\n`);
  expect(text).toContain(`partnerkit_load_limiter_broken{${labels}} 1\n`);
  expect(text).toContain(`partnerkit_load_measured_requests_per_second{${labels},key="acme/limits",bound="low"} 1`);
  // The text format: comments, or a name, labels and a number.
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) partnerkit_load_\w+ .+|partnerkit_load_\w+(\{.*\})? -?[\d.e+-]+)$/);
  }
  expect(prometheusText(newTally(), null)).not.toMatch(/null|NaN|limiter_broken/);

  const served = await serveMetrics(() => text, { host: '127.0.0.1', port: 0 });
  try {
    const reply = await fetch(served.url);
    expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      text,
    ]);
    expect((await fetch(new URL('/', served.url))).status).toBe(404);
  } finally {
    served.close();
  }
});
