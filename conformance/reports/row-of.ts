import type { Target } from '../../spec/files/target.ts';
import { ruleById } from '../../spec/rules.ts';
import { curlOf } from '../history/curl.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import type { LawResult } from '../laws/judging/judge.ts';
import type { RegisterName } from '../laws/judging/law.ts';
import { labelHistoryOf } from '../laws/labels/label-history.ts';
import { areaOf } from '../laws/selection.ts';
import { explained } from '../target/secrets.ts';
import type { LabelHistory, ReportExchange, ReportRow } from './report-schema.ts';

/** A row shows this many breaches of a law and counts the others. */
const maxBreaches = 3;

/** The row of one law. @param history adds what happened to labels; null for the traffic of a client, which has no such evidence */
export function rowOf(result: LawResult, history: History | null = null): Omit<ReportRow, 'waived'> {
  const { id, title, outcome, message, finding } = result;
  const { id: ruleId, rule: text, section, provenance, level } = ruleById(result.rule);
  return {
    id,
    area: areaOf(result),
    title,
    rule: { id: ruleId, text, section, provenance, level },
    outcome,
    message: cut(message),
    applied: finding.applied,
    broken: finding.breaches.length,
    breaches: finding.breaches
      .slice(0, maxBreaches)
      .map(({ exchange, expected, observed, with: others = [], register }) => ({
        exchange: exchange.n,
        expected: cut(expected),
        observed: cut(observed),
        with: [...new Set(others.map(({ n }) => n))].filter((n) => n !== exchange.n),
        ...(register && history && { labels: labelsRow(register, exchange, history) }),
      })),
  };
}

/** What happened to the labels of a record up to the wrong reply. */
function labelsRow(register: RegisterName, wrong: Exchange, history: History): LabelHistory {
  const { holder, label, steps } = labelHistoryOf(register, wrong, history);
  return {
    holder: cut(holder),
    label: cut(label),
    steps: steps.map(({ exchange: { n, key, sentAt, doneAt, status }, act, label: written, shows }) => ({
      exchange: n,
      act,
      label: written && cut(written),
      key,
      sentAt: rounded(sentAt),
      doneAt: rounded(doneAt),
      status,
      shows,
    })),
  };
}

/** Characters. A longer sentence quotes a reply, and the evidence shows that reply anyway. */
const maxSentence = 2_000;
const cut = (text: string) => (text.length > maxSentence ? `${text.slice(0, maxSentence)}…` : text);

/** Characters of a body that are shown. */
const maxBody = 4_000;

/** One exchange as evidence. @param target names the environment variables for the secrets in curl commands */
export function exchangeRow(exchange: Exchange, target: Target | null = null): ReportExchange {
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
    curl: target === null ? curlOf(exchange) : explained(curlOf(exchange), target),
  };
}

/** Numbers of the exchanges that rows show as evidence. */
export const numbersIn = (rows: readonly Pick<ReportRow, 'breaches'>[]): ReadonlySet<number> =>
  new Set(rows.flatMap(({ breaches }) => breaches.flatMap((breach) => [breach.exchange, ...breach.with])));

/** To the microsecond; further digits of a clock are noise. */
export const rounded = (milliseconds: number) => Math.round(milliseconds * 1000) / 1000;
