import { availabilityIn } from '../history/availability.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { coverageOf } from '../laws/coverage.ts';
import type { LawResult, Outcome } from '../laws/judging/judge.ts';
import { limiterIn } from '../laws/limiter/limiter-in.ts';
import { patched } from '../profile-patch.ts';
import { paceOf } from '../run/pace.ts';
import type { WaivedVerdict } from '../run/waivers.ts';
import { gainsOf } from '../situations/gains.ts';
import { type LimiterRun, type Report, reportSchema } from './report-schema.ts';
import { exchangeRow, numbersIn, rounded, rowOf } from './row-of.ts';

const outcomes: readonly Outcome[] = [
  'fail',
  'error',
  'inconclusive',
  'not-run',
  'warn',
  'observed',
  'pass',
  'not-selected',
];

/** Everything that reports show of a run; the same history gives the same report, to the byte. */
export function reportOf(history: History, results: readonly LawResult[], waived: WaivedVerdict): Report {
  const { known, exchanges, interrupted } = history;
  const { verdict, exitCode, sentence, mustRules, waivers } = waived;
  const excused = new Set(waivers.filter(({ state }) => state === 'used').map(({ id }) => id));
  const requests = countBy(exchanges, ({ key }) => key ?? '-');
  const served = new Map(
    Object.entries(
      countBy(
        exchanges.filter(({ status }) => status !== 429),
        ({ key }) => key ?? '-',
      ),
    ),
  );
  const pace = paceOf(served, known.target);
  const rows = results.map((result) => ({
    ...rowOf(result, history),
    waived: result.outcome === 'fail' && excused.has(result.id),
  }));
  const evidence = numbersIn(rows);
  return {
    schemaVersion: 2,
    kit: known.kit,
    target: { baseUrl: known.target.baseUrl, tenants: known.target.tenants.map(({ name }) => name) },
    startedAt: known.startedAt,
    finishedAt: history.finishedAt,
    durationMilliseconds: Date.parse(history.finishedAt) - Date.parse(known.startedAt),
    verdict,
    exitCode,
    sentence,
    interrupted,
    mustRules,
    outcomes: Object.fromEntries(
      outcomes.map((outcome) => [outcome, results.filter((result) => result.outcome === outcome).length]),
    ) as Report['outcomes'],
    waivers: waivers.map((waiver) => ({ ...waiver })),
    requests: Object.fromEntries(Object.entries(requests).sort(([a], [b]) => (a < b ? -1 : 1))),
    pace: pace && { ...pace, milliseconds: rounded(pace.milliseconds) },
    coverage: coverageOf(history),
    availability: availabilityIn(history).map((one) => ({ ...one })),
    gains: gainsIn(history, results),
    left: [...history.left],
    limiter: asJson(limiterIn(history)),
    profile: results.flatMap(({ finding }) => finding.profile ?? []).reduce(patched, {}),
    rows,
    exchanges: exchanges.filter(({ n }) => evidence.has(n)).map((exchange) => exchangeRow(exchange, known.target)),
  };
}

function gainsIn({ known }: History, results: readonly LawResult[]): Report['gains'] {
  const idle = results.filter(({ outcome }) => outcome === 'not-run');
  const gains = gainsOf(known.target, new Set(idle.map(({ rule }) => rule)), known.allowLeftovers);
  return gains.map(({ field, rules, situations }) => ({
    field,
    laws: idle.flatMap(({ id, rule }) => (rules.includes(rule) ? [id] : [])),
    situations,
  }));
}

const countBy = (exchanges: readonly Exchange[], name: (exchange: Exchange) => string): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(exchanges, name)].map(([key, those]) => [key, those.length]));

/** As it stands in JSON, where what is unbounded is null. */
const asJson = (limiter: unknown): LimiterRun | null =>
  reportSchema.shape.limiter.parse(JSON.parse(JSON.stringify(limiter)));
