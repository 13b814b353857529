import type { Observation } from '../../spec/limiter/observation.ts';
import type { LimiterModel } from '../../spec/limiter/proof/simulation/limiters.ts';
import { networks } from '../../spec/limiter/proof/simulation/networks.ts';
import { simulate } from '../../spec/limiter/proof/simulation/simulate.ts';
import { sendTimes } from '../../spec/limiter/send-times.ts';
import type { LimitPlan } from '../plan/scenario-plan.ts';
import { scenarioPlan } from '../scenarios/all.ts';

// Raw output of k6 for tests, in virtual time: what a run of a scenario against a simulated limiter would have left behind.

/** When simulated runs begin: within a second, so that rounding to milliseconds does not move the first request to the one before. */
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

/** What a scenario samples of a limiter with no network in between. */
export function samplesOf(name: string, model: LimiterModel, { position = 0, seconds = 60 } = {}): Observation[] {
  const { times } = sendTimes(limitPlanOf(name).phases(limit, seconds, position));
  return simulate(
    times.map((at) => at * 1000),
    networks['0 ms'],
    model,
    1,
  );
}

/** What k6 would have written of these samples of one key. Without `ended` it was killed before it was done; its clock is `aheadMs` ahead of the server's. */
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
    seconds: String(limitPlanOf(name).seconds ?? 0),
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
    ...samples.map(({ sentAt, doneAt }) =>
      rawPoint('load_date', start + doneAt, 1, {
        sent: String(Math.floor(start + sentAt)),
        done: String(Math.floor(start + doneAt)),
        // The server's clock is right.
        date: new Date(simulatedStart + (sentAt + doneAt) / 2).toUTCString(),
      }),
    ),
    ...(ended ? [rawPoint('load_end', start, 1, { key })] : []),
  ].join('\n');
}
