import { ruleById } from '../../spec/rules.ts';
import { availabilityIn } from '../history/availability.ts';
import { curlOf } from '../history/curl.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { coverageOf } from '../laws/coverage.ts';
import type { LawResult, Outcome } from '../laws/judging/judge.ts';
import { limiterIn } from '../laws/limiter/limiter-in.ts';
import { areaOf } from '../laws/selection.ts';
import { patched } from '../profile-patch.ts';
import { paceOf } from '../run/pace.ts';
import type { WaivedVerdict } from '../run/waivers.ts';
import { gainsOf } from '../situations/gains.ts';
import { type LimiterRun, type Report, type ReportExchange, type ReportRow, reportSchema } from './report-schema.ts';

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

/** Breaches of one law that are shown; the rest is counted. */
const maxBreaches = 3;

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
  const rows = results.map((result) => rowOf(result, excused.has(result.id)));
  const evidence = new Set(
    rows.flatMap(({ breaches }) => breaches.flatMap((breach) => [breach.exchange, ...breach.with])),
  );
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
    exchanges: exchanges.filter(({ n }) => evidence.has(n)).map(exchangeRow),
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

function rowOf(result: LawResult, waived: boolean): ReportRow {
  const { id, title, outcome, message, finding } = result;
  const { id: ruleId, rule: text, section, provenance, level } = ruleById(result.rule);
  return {
    id,
    area: areaOf(result),
    title,
    rule: { id: ruleId, text, section, provenance, level },
    outcome,
    waived: waived && outcome === 'fail',
    message: cut(message),
    applied: finding.applied,
    broken: finding.breaches.length,
    breaches: finding.breaches.slice(0, maxBreaches).map(({ exchange, expected, observed, with: others = [] }) => ({
      exchange: exchange.n,
      expected: cut(expected),
      observed: cut(observed),
      with: others.map(({ n }) => n),
    })),
  };
}

/** Characters of a sentence; what a reply made longer stands in the evidence. */
const maxSentence = 2_000;
const cut = (text: string) => (text.length > maxSentence ? `${text.slice(0, maxSentence)}…` : text);

/** Characters of a body that are shown. */
const maxBody = 4_000;

function exchangeRow(exchange: Exchange): ReportExchange {
  const { n, situation, operation, key, credential, method, url, requestHeaders, requestBody, requestBytes } = exchange;
  const { sentAt, doneAt, status, headers, body, failure } = exchange;
  return {
    n,
    situation,
    operationId: operation,
    key,
    credential,
    method,
    url,
    requestHeaders: { ...requestHeaders },
    requestBody,
    requestBytes,
    sentAt: rounded(sentAt),
    doneAt: rounded(doneAt),
    status,
    replyHeaders: { ...headers },
    replyBody: body !== null && body.length > maxBody ? `${body.slice(0, maxBody)}… (${body.length} characters)` : body,
    error: failure,
    curl: curlOf(exchange),
  };
}

const countBy = (exchanges: readonly Exchange[], name: (exchange: Exchange) => string): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(exchanges, name)].map(([key, those]) => [key, those.length]));

/** As it stands in JSON, where what is unbounded is null. */
const asJson = (limiter: unknown): LimiterRun | null =>
  reportSchema.shape.limiter.parse(JSON.parse(JSON.stringify(limiter)));

/** To the microsecond: what a clock says beyond that is noise. */
const rounded = (milliseconds: number) => Math.round(milliseconds * 1000) / 1000;
