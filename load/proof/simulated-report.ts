import { bucketModel } from '../../spec/limiter/proof/simulation/limiters.ts';
import { reportOf } from '../report/report-of.ts';
import type { LoadReport } from '../report/report-schema.ts';
import { judgeRun } from '../verdict/judge-run.ts';
import { createRawRun } from '../verdict/raw-run.ts';
import { createRawReader } from '../verdict/read-raw.ts';
import { limitPlanOf, rawOf, samplesOf } from './simulated-raw.ts';

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
