import { ruleById } from '../../spec/rules.ts';
import { areaOf, type Check } from '../check.ts';
import type { Exchange } from '../evidence.ts';
import type { CheckResult, Outcome } from '../outcome.ts';
import type { WaivedRecord } from '../waivers.ts';
import { type LimiterRun, type Report, type ReportExchange, type ReportRow, reportSchema } from './report-schema.ts';

export interface ReportContext {
  /** Those of the run, for their titles. */
  readonly checks: readonly Check[];
  /** Version of partnerkit. */
  readonly kit: string;
}

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

/** Everything that reports show of a run; the same record gives the same report, to the byte. */
export function reportOf(record: WaivedRecord, { checks, kit }: ReportContext): Report {
  const titles = new Map(checks.map(({ id, title }) => [id, title]));
  const waived = new Set(record.waivers.filter(({ state }) => state === 'used').map(({ id }) => id));
  const { verdict, exitCode, sentence, interrupted, mustRules } = record;
  return {
    schemaVersion: 1,
    kit,
    target: { baseUrl: record.target.baseUrl, tenants: [...record.target.tenants] },
    startedAt: new Date(record.startedAt).toISOString(),
    finishedAt: new Date(record.finishedAt).toISOString(),
    durationMilliseconds: rounded(record.finishedAt - record.startedAt),
    verdict,
    exitCode,
    sentence,
    interrupted,
    mustRules,
    outcomes: Object.fromEntries(
      outcomes.map((outcome) => [outcome, record.results.filter((result) => result.outcome === outcome).length]),
    ) as Report['outcomes'],
    waivers: record.waivers.map((waiver) => ({ ...waiver })),
    requests: Object.fromEntries(Object.entries(record.requests).sort(([a], [b]) => (a < b ? -1 : 1))),
    pace: record.pace && { ...record.pace, milliseconds: rounded(record.pace.milliseconds) },
    limiter: limiterOf(record),
    profile: { ...record.profile },
    rows: record.results.map((result) => rowOf(result, titles.get(result.id) ?? result.id, waived.has(result.id))),
  };
}

function rowOf(result: CheckResult, title: string, waived: boolean): ReportRow {
  const { id, outcome, message, expected, observed, duration, exchanges } = result;
  const { id: ruleId, rule: text, section, provenance, level } = ruleById(result.rule);
  return {
    id,
    area: areaOf(result),
    title,
    rule: { id: ruleId, text, section, provenance, level },
    outcome,
    waived: waived && outcome === 'fail',
    message,
    expected,
    observed,
    durationMilliseconds: rounded(duration),
    curl: decisive(result)?.curl ?? null,
    exchanges: exchanges.map(exchangeRow),
  };
}

/** The request that what was observed is about; without one, the last of the check. */
function decisive({ observed, exchanges }: CheckResult): Exchange | undefined {
  const about = exchanges.findLast(({ method, url, operationId }) =>
    observed?.includes(`${method} ${URL.parse(url)?.pathname} (${operationId})`),
  );
  return about ?? exchanges.at(-1);
}

function exchangeRow(exchange: Exchange): ReportExchange {
  return {
    ...exchange,
    requestHeaders: { ...exchange.requestHeaders },
    replyHeaders: { ...exchange.replyHeaders },
    sentAt: rounded(exchange.sentAt),
    doneAt: rounded(exchange.doneAt),
  };
}

/** As it stands in JSON, where what is unbounded is null. */
function limiterOf(record: WaivedRecord): LimiterRun | null {
  const limiter = 'limiter' in record ? record.limiter : null;
  return reportSchema.shape.limiter.parse(JSON.parse(JSON.stringify(limiter ?? null)));
}

/** To the microsecond: what a clock says beyond that is noise. */
const rounded = (milliseconds: number) => Math.round(milliseconds * 1000) / 1000;
