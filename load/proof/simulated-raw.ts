import { sendTimes } from '../../spec/limiter/measurement.ts';
import type { Observation } from '../../spec/limiter/observation.ts';
import { bucketModel, type LimiterModel } from '../../spec/limiter/proof/limiters.ts';
import { networks, simulate } from '../../spec/limiter/proof/simulate.ts';
import { reportOf } from '../report/report-of.ts';
import type { LoadReport } from '../report/report-schema.ts';
import { type LimitPlan, scenarioPlan } from '../scenarios.ts';
import { judgeRun } from '../verdict/judge-run.ts';
import { createRawReader, createRawRun } from '../verdict/recording.ts';

// Makes raw output of k6 for tests, in virtual time: what k6 would have written in a run against a simulated limiter.

/** When simulated runs begin. Not at a whole second, because rounding could move the first request into the second before. */
export const simulatedStart = Date.parse('2026-11-21T10:00:00.500Z');

const limit = { perSecond: 10, burst: 20 };

/** The plan of a scenario that judges limiters. */
export function limitPlanOf(name: string): LimitPlan {
  const plan = scenarioPlan(name);
  if (plan?.kind !== 'limit') throw new Error(`${name} judges no limiter`);
  return plan;
}

/** One line of `k6 run --out json=FILE`; `at` in ms since the epoch. */
export const rawPoint = (metric: string, at: number, value: number, tags: Readonly<Record<string, string>>): string =>
  JSON.stringify({ metric, type: 'Point', data: { time: new Date(at).toISOString(), value, tags } });

/** The requests of a scenario and what a limiter answers, with no network in between. */
export function samplesOf(name: string, model: LimiterModel, { position = 0, seconds = 60 } = {}): Observation[] {
  const { times } = sendTimes(limitPlanOf(name).phases(limit, seconds, position));
  return simulate(
    times.map((at) => at * 1000),
    networks['0 ms'],
    model,
    1,
  );
}

/** What k6 would have written about these requests of one key. Without `ended`, k6 was killed before the end. Its clock is `aheadMs` ahead of the server's. */
export function rawOf(
  name: string,
  key: string,
  samples: readonly Observation[],
  { position = 0, ended = true, aheadMs = 0 } = {},
): string {
  const start = simulatedStart + aheadMs;
  const tags = {
    key,
    scenario_name: name,
    per_second: String(limit.perSecond),
    burst: String(limit.burst),
    position: String(position),
  };
  return [
    rawPoint('load_key', start, 1, tags),
    ...samples.map(({ sentAt, doneAt, status }) =>
      rawPoint('http_req_duration', start + doneAt, doneAt - sentAt, {
        key,
        phase: 'steady',
        status: String(status),
      }),
    ),
    ...(ended ? [rawPoint('load_end', start, 1, { key })] : []),
  ].join('\n');
}

/** The report of a run against a token bucket of this rate and burst. */
export function simulatedReport(
  perSecond: number,
  { key = 'acme/limits', burst = 20, scenario = 'overload' } = {},
): LoadReport {
  const run = createRawRun();
  const reader = createRawReader(run, 'raw.json');
  reader.push(rawOf(scenario, key, samplesOf(scenario, bucketModel(perSecond, burst))));
  reader.end();
  return reportOf(run, judgeRun(run, limitPlanOf(scenario)), {
    kit: '1.2.3',
    scenario,
    target: 'http://localhost:1',
  });
}
