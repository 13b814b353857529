import type { RuleId } from '../../spec/rules.ts';
import { availabilityIn } from '../history/availability.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { countOutcomes, type LawResult } from '../laws/judging/judge.ts';
import { keysIn, measurementIn } from '../laws/limiter/keys-in.ts';
import { patched } from '../profile-patch.ts';
import { paceOf } from '../run/pace.ts';
import type { WaivedVerdict } from '../run/waivers.ts';
import { gainsOf } from '../situations/missing-target-fields.ts';
import { leftIn } from './left-in.ts';
import { type LimiterRun, type Report, reportSchema } from './report-schema.ts';
import { exchangeRow, numbersIn, rounded, rowOf } from './row-of.ts';

/** The data of all reports. The same history gives the same report, to the byte. */
export function reportOf(history: History, results: readonly LawResult[], waived: WaivedVerdict): Report {
  const { known, exchanges, interrupted } = history;
  const { verdict, exitCode, sentence, mustRules, waivers } = waived;
  const excused = new Set(waivers.filter(({ state }) => state === 'used').map(({ id }) => id));
  const requests = countByKey(exchanges);
  const served = countByKey(exchanges.filter(({ status }) => status !== 429));
  const pace = paceOf(served, known.target);
  const rows = results.map((result) => ({
    ...rowOf(result, history),
    waived: result.outcome === 'fail' && excused.has(result.id),
  }));
  const evidence = numbersIn(rows);
  return {
    schemaVersion: 3,
    kit: known.kit,
    target: { baseUrl: known.target.baseUrl, tenants: known.target.tenants.map(({ name }) => name) },
    startedAt: known.startedAt,
    finishedAt: history.finishedAt,
    durationMilliseconds: Date.parse(history.finishedAt) - Date.parse(known.startedAt),
    verdict,
    exitCode,
    sentence,
    interrupted,
    ...(history.blocked !== undefined && { blocked: history.blocked }),
    mustRules,
    outcomes: countOutcomes(results),
    waivers: waivers.map((waiver) => ({ ...waiver })),
    requests: Object.fromEntries([...requests].sort(([a], [b]) => (a < b ? -1 : 1))),
    pace: pace && { ...pace, milliseconds: rounded(pace.milliseconds) },
    availability: availabilityIn(history),
    gains: gainsIn(history, results),
    left: leftIn(history),
    limiter: limiterRunIn(history),
    profile: results.flatMap(({ finding }) => finding.profile ?? []).reduce(patched, {}),
    rows,
    exchanges: exchanges.filter(({ n }) => evidence.has(n)).map((exchange) => exchangeRow(exchange, known.target)),
  };
}

function gainsIn({ known }: History, results: readonly LawResult[]): Report['gains'] {
  const notRun = results.filter(({ outcome }) => outcome === 'not-run');
  const judged = results.filter(({ outcome }) => outcome !== 'not-selected');
  const [lacking, selected] = [notRun, judged].map((some) => new Set(some.map(({ rule }) => rule))) as [
    Set<RuleId>,
    Set<RuleId>,
  ];
  const gains = gainsOf(known.target, lacking, known.allowLeftovers, selected);
  return gains.map(({ field, rules, situations }) => ({
    field,
    laws: notRun.flatMap(({ id, rule }) => (rules.includes(rule) ? [id] : [])),
    situations,
  }));
}

const countByKey = (exchanges: readonly Exchange[]): Map<string, number> =>
  new Map([...Map.groupBy(exchanges, ({ key }) => key ?? '-')].map(([key, group]) => [key, group.length]));

/** JSON turns the infinite ends of intervals into null. */
function limiterRunIn(history: History): LimiterRun | null {
  const use = measurementIn(history);
  if (use === undefined) return null;
  const { samples, judgement } = use;
  const told = judgement.verdict === 'pass' ? { ...judgement, ...wrongLimiterIn(history) } : judgement;
  return reportSchema.shape.limiter.parse(JSON.parse(JSON.stringify({ samples, judgement: told })));
}

/** The measured key may keep a limit that it breaks after a 429, or that another key breaks. */
function wrongLimiterIn(history: History): Partial<Pick<LimiterRun['judgement'], 'verdict' | 'reason'>> {
  const wrong = keysIn(history).find(({ blame, interference }) => Object.keys(blame).length > 0 && !interference);
  if (wrong === undefined) return {};
  const { key, blame, judgement } = wrong;
  return {
    verdict: judgement.tooLax ? 'too-lax' : 'too-strict',
    reason: `key ${key}: ${[...new Set(Object.values(blame))].join('; ')}`,
  };
}
