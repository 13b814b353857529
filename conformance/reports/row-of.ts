import type { Target } from '../../spec/files/target.ts';
import { operations } from '../../spec/operations.ts';
import { ruleById } from '../../spec/rules.ts';
import { smallestShare } from '../experiments/chance.ts';
import { curlOf } from '../history/curl.ts';
import { type Exchange, exchangeSchema } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { explained } from '../target/secrets.ts';
import { failureScript } from '../verdict/failure-script.ts';
import type { LawResult } from '../verdict/judge.ts';
import { type Breach, brokenIn } from '../verdict/law.ts';
import { areaOf } from '../verdict/selection.ts';
import type { ReportExchange, ReportRow } from './report-schema.ts';

/** A row shows this many breaches of a law and counts the others. */
const maxBreaches = 3;

/** The row of one law. @param history adds the scripts of failures; null for the traffic of a client, which has no such evidence */
export function rowOf(result: LawResult, history: History | null = null): Omit<ReportRow, 'waived'> {
  const { id, title, outcome, message, finding } = result;
  // Of what is undecided, what was seen.
  const shown = outcome === 'inconclusive' ? (finding.doubts ?? []) : finding.breaches;
  const { id: ruleId, rule: text, section, provenance, level } = ruleById(result.rule);
  return {
    id,
    area: areaOf(result),
    title,
    rule: { id: ruleId, text, section, provenance, level },
    outcome,
    message: cut(message),
    applied: finding.applied,
    broken: brokenIn(finding.breaches).length,
    ...(history && outcome === 'pass' && { smallestShare: smallestShare(finding.applied) }),
    ...(history && shown.length > 0 && { where: placesOf(shown, history) }),
    breaches: shown.slice(0, maxBreaches).map((breach) => breachRow(breach, history)),
  };
}

/** The requests that break a law, the most frequent first. A look shows what the request did that a trial leaves out in its control. */
function placesOf(breaches: readonly Breach[], history: History): ReportRow['where'] {
  const places = new Map<string, Set<Exchange>>();
  for (const breach of breaches) {
    const asked = breach.counts && failureScript(breach, history).inQuestion.at(-1);
    for (const one of brokenIn([breach])) {
      const place = placeOf(one === breach.exchange || one.step?.part === 'look' ? (asked ?? one) : one);
      places.set(place, (places.get(place) ?? new Set()).add(one));
    }
  }
  return [...places].map(([request, { size: broken }]) => ({ request, broken })).sort((a, b) => b.broken - a.broken);
}

/** `GET /v1/labels` */
const placeOf = ({ operation, method, url }: Exchange) =>
  operation === 'storage'
    ? `${method} to the upload URL`
    : operation === null
      ? `${method} ${URL.parse(url)?.pathname ?? url}`
      : `${method} ${operations[operation].path}`;

function breachRow(breach: Breach, history: History | null): ReportRow['breaches'][number] {
  const { exchange, expected, observed, note, with: others = [], counts } = breach;
  const script = history && failureScript(breach, history);
  const { requests = others, inQuestion = [], sight } = script ?? {};
  return {
    ...{ exchange: exchange.n, expected: cut(expected), observed: cut(observed), ...(note && { note }) },
    with: [...new Set(requests.map(({ n }) => n))].filter((n) => n !== exchange.n),
    ...(history && counts && { counts: { ...counts } }),
    ...(inQuestion.length > 0 && { inQuestion: inQuestion.map(({ n }) => n) }),
    ...(sight && { sight }),
  };
}

/** Characters. A longer sentence quotes a reply, and the evidence shows that reply anyway. */
const maxSentence = 2_000;
export const cut = (text: string, most = maxSentence) =>
  text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;

/** Characters of a body that are shown. */
const maxBody = 4_000;

/** One exchange as evidence. @param target names the environment variables for the secrets in curl commands */
export const exchangeRow = (exchange: Exchange, target: Target | null = null): ReportExchange => ({
  // Requests of clients have more fields.
  ...exchangeSchema.parse(exchange),
  sentAt: rounded(exchange.sentAt),
  doneAt: rounded(exchange.doneAt),
  body: exchange.body && cut(exchange.body, maxBody),
  curl: target === null ? curlOf(exchange) : explained(curlOf(exchange), target),
});

/** Numbers of the exchanges that rows show as evidence. */
export const numbersIn = (rows: readonly Pick<ReportRow, 'breaches'>[]): ReadonlySet<number> =>
  new Set(rows.flatMap(({ breaches }) => breaches.flatMap((breach) => [breach.exchange, ...breach.with])));

/** To the microsecond; further digits of a clock are noise. */
export const rounded = (milliseconds: number) => Math.round(milliseconds * 1000) / 1000;
