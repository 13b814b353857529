import type { RuleId } from '../../spec/rules.ts';
import type { History } from '../history/history.ts';
import { patched } from '../profile.ts';
import { gainsOf } from '../scripts/missing-target-fields.ts';
import { evidenceIn } from '../verdict/evidence.ts';
import { countOutcomes, type LawResult } from '../verdict/judge.ts';
import { measurementOf } from '../verdict/limiter/uses.ts';
import { trafficOf } from '../verdict/traffic.ts';
import { leftoversIn } from './leftovers.ts';
import { type LimiterRun, type Report, reportSchema } from './report-schema.ts';
import { exchangeRow, numbersIn, rowOf } from './row-of.ts';
import type { WaivedVerdict } from './verdict.ts';

/** The data of all reports. The same history gives the same report, to the byte. */
export function reportOf(history: History, results: readonly LawResult[], waived: WaivedVerdict): Report {
  const { known, exchanges, interrupted } = history;
  const excused = new Set(waived.waivers.filter(({ state }) => state === 'used').map(({ id }) => id));
  const requests = [...Map.groupBy(exchanges, ({ key }) => key ?? '-')].map(
    ([key, { length }]) => [key, length] as const,
  );
  const rows = results.map((result) => ({
    ...rowOf(result, history),
    waived: result.outcome === 'fail' && excused.has(result.id),
  }));
  const stopped = new Set(history.skipped.flatMap(({ script, reason }) => (reason === 'stopped' ? [script] : [])));
  // What a run sends for itself is of no script, and has no slash in its name.
  const ended = new Set(exchanges.flatMap(({ script }) => (/\//.test(script) && !stopped.has(script) ? [script] : [])));
  const evidence = numbersIn(rows);
  return {
    schemaVersion: 4,
    kit: known.kit,
    target: { baseUrl: known.target.baseUrl, tenants: known.target.tenants.map(({ name }) => name) },
    startedAt: known.startedAt,
    finishedAt: history.finishedAt,
    durationMilliseconds: Date.parse(history.finishedAt) - Date.parse(known.startedAt),
    ...waived,
    interrupted,
    ...(history.blocked !== undefined && { blocked: history.blocked }),
    ...(stopped.size > 0 && { scripts: { ended: ended.size, stopped: stopped.size } }),
    outcomes: countOutcomes(results),
    requests: Object.fromEntries(requests.sort(([a], [b]) => (a < b ? -1 : 1))),
    gains: gainsIn(history, results),
    left: leftoversIn(history),
    limiter: limiterRunIn(history),
    profile: results.flatMap(({ finding }) => finding.profile ?? []).reduce(patched, {}),
    rows,
    exchanges: exchanges.filter(({ n }) => evidence.has(n)).map((exchange) => exchangeRow(exchange, known.target)),
  };
}

function gainsIn({ known }: History, results: readonly LawResult[]): Report['gains'] {
  const notRun = results.filter(({ outcome }) => outcome === 'not-run');
  const judged = results.filter(({ outcome }) => outcome !== 'not-selected');
  const rulesOf = (some: readonly LawResult[]) => new Set(some.map(({ rule }) => rule));
  const gains = gainsOf(known.target, rulesOf(notRun), known.allowLeftovers, rulesOf(judged));
  return gains.map(({ field, rules, scripts }) => ({
    field,
    laws: notRun.flatMap(({ id, rule }) => (rules.includes(rule) ? [id] : [])),
    scripts,
  }));
}

/** JSON turns the infinite ends of intervals into null. */
function limiterRunIn(history: History): LimiterRun | null {
  const measured = measurementOf(trafficOf(history));
  if (measured === null) return null;
  const { use, judgement } = measured;
  const samples = use.exchanges.map(({ sentAt, doneAt, status }) => ({ sentAt, doneAt, status: status ?? 0 }));
  const shown = judgement.verdict === 'pass' ? { ...judgement, ...wrongLimiterIn(history) } : judgement;
  return reportSchema.shape.limiter.parse(JSON.parse(JSON.stringify({ key: use.key, samples, judgement: shown })));
}

/** The measured key may keep a limit that another key breaks. */
function wrongLimiterIn(history: History): Partial<Pick<LimiterRun['judgement'], 'verdict' | 'reason'>> {
  const rules: readonly RuleId[] = ['limiter/burst', 'limiter/steady-rate', 'limiter/clustering-gains-nothing'];
  const [wrong] = rules.flatMap((rule) => evidenceIn(history).get(rule)?.failures ?? []);
  if (wrong === undefined) return {};
  const verdict = wrong.exchange.status === 429 ? 'too-strict' : 'too-lax';
  return { verdict, reason: wrong.note ?? wrong.observed };
}
