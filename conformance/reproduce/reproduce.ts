import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { Target } from '../../spec/files/target.ts';
import type { RuleId } from '../../spec/rules.ts';
import { terminalText } from '../../spec/text/terminal-text.ts';
import type { Ask } from '../client/ask.ts';
import { replySigns } from '../contract/reply.ts';
import { smallestShare } from '../experiments/chance.ts';
import { curlOf } from '../history/curl.ts';
import type { Exchange } from '../history/exchange.ts';
import type { Facts } from '../history/facts.ts';
import type { History } from '../history/history.ts';
import { firstRounds } from '../numbers.ts';
import { type Evidence, evidenceOf } from '../reports/failures.ts';
import type { Report, ReportExchange, ReportRow } from '../reports/report-schema.ts';
import { gather, type RunOptions } from '../run/run.ts';
import type { Script } from '../scripts/script.ts';
import { type Deployment, deploymentOf, keyNamed } from '../target/deployment.ts';
import { holderKey, labelWriteOf } from '../target/holder.ts';
import { explained, redactionOf } from '../target/secrets.ts';
import { evidenceIn } from '../verdict/evidence.ts';
import { isSeen } from '../verdict/failure-script.ts';
import { judgeBy, laws } from '../verdict/judge.ts';

/** What came of a failure that was tried again. */
export interface Reproduction {
  readonly rule: string;
  /** `broken`: seen again; `gone`: not seen in so many rounds; `unclear`: what was sent could not show it. */
  readonly outcome: 'broken' | 'gone' | 'unclear';
  /** One sentence. */
  readonly message: string;
  /** What was sent in the last round, redacted. */
  readonly exchanges: readonly Exchange[];
}

/** Rounds after which a fault that is rarer is not waited for any longer: a script takes seconds. */
const maxRounds = 60;

/**
 * Sends exactly the requests that an earlier report shows for a rule again, through the journal. Where a failure cannot be told in a few requests,
 * as of the limiter, the scripts for this rule run.
 * @throws ConfigurationError when the report shows no failure of this rule
 */
export async function reproduce(
  report: Report,
  id: string,
  target: Target,
  options: RunOptions,
): Promise<Reproduction> {
  const row = report.rows.find((one) => one.id === id && ['fail', 'warn', 'inconclusive'].includes(one.outcome));
  if (row === undefined) {
    const failed = report.rows.filter(({ outcome }) => outcome === 'fail').map((one) => one.id);
    throw new ConfigurationError([
      `${id} did not fail in that run; ${failed.length > 0 ? `these did: ${failed.join(', ')}` : 'nothing did'}`,
    ]);
  }
  const [first] = evidenceOf(report, row);
  const rule = row.rule.id as RuleId;
  if (first === undefined || !isFit(rule, first.requests)) return runAgain(row, rule, target, options);
  const share = shareOf(row, first);
  const enough = share === 1 ? 0 : Math.ceil(Math.log(0.05) / Math.log(1 - share));
  const rounds = Math.min(maxRounds, Math.max(firstRounds, enough));
  const sent = Array.from({ length: rounds }, (): Exchange[] => []);
  const script = scriptOf(row, first.requests, sent, sendingOf(target));
  const history = await gather(target, { ...options, preflight: false, scripts: [script] });
  const seen = outcomeOf(history, row, sent, share);
  // Whether another path carried an operation out is told by replies of the operation.
  return seen.outcome === 'gone' && first.exchange.operation === null ? runAgain(row, rule, target, options) : seen;
}

/** Whether these few requests can be sent again as they are. An upload URL and a fileKey are good for one time. */
const isFit = (rule: RuleId, requests: readonly ReportExchange[]) =>
  !/^(limiter|limits|keys)\//.test(rule) &&
  requests.every(({ operation, facts, requestBody, requestBytes }) => {
    const isWhole = new TextEncoder().encode(requestBody ?? '').length === requestBytes;
    return operation !== 'storage' && facts !== undefined && !facts.once && isWhole;
  });

/** The share of rounds in which the earlier run saw it. */
function shareOf({ broken, applied, breaches }: ReportRow, { exchange }: Evidence): number {
  const counts = breaches[0]?.counts;
  // What was undecided may come now and then.
  if (counts === undefined && broken > 0 && exchange.status !== null) return 1;
  const { shown, of } = counts ?? { shown: broken, of: applied };
  return Math.min(1, Math.max(shown / Math.max(of, 1), 1 / maxRounds));
}

/** The request as it was, with the secrets of the target file in place of their placeholders. */
function sendingOf(target: Target) {
  const redaction = redactionOf(target);
  const secrets = target.tenants.flatMap(({ keys }) => keys.flatMap(({ secret }) => [secret, secret.slice(0, -1)]));
  const values = [...secrets, ...Object.values(target.headers)]
    .map((value) => ({ value, placeholder: redaction.apply(value) }))
    .filter(({ value, placeholder }) => placeholder !== value)
    .sort((a, b) => b.placeholder.length - a.placeholder.length);
  const filled = (text: string) =>
    values.reduce((all, { value, placeholder }) => all.replaceAll(placeholder, () => value), text);
  return (exchange: ReportExchange, deployment: Deployment): Ask => {
    const { method, url, requestHeaders, requestBody, params, credential, operation } = exchange;
    const facts = exchange.facts as Facts;
    const key = keyNamed(deployment, exchange.key);
    const tenant = exchange.key?.slice(0, exchange.key.indexOf('/'));
    const isMade = (value: string) => key !== undefined && value !== filled(value);
    const deployed = deployment.operation(facts.operation);
    const address = URL.parse(filled(url));
    const base = new URL(deployment.baseUrl);
    const path = `${address?.pathname ?? ''}`.slice(base.pathname === '/' ? 0 : base.pathname.length);
    return {
      operation: facts.operation,
      params,
      ...(key && tenant && { key: { ...key, tenant } }),
      credential: key === undefined ? 'none' : credential,
      // A header with a secret is made from the key again, as it was.
      headers: Object.fromEntries(
        Object.entries(requestHeaders).flatMap(([name, value]) => (isMade(value) ? [] : [[name, filled(value)]])),
      ),
      ...(requestBody !== null && { body: filled(requestBody) }),
      ...(address?.search && credential !== 'query' && { query: address.search }),
      ...(operation === null ? { path, ...(method !== deployed?.method && { method }) } : {}),
      ...(facts.mutation?.id === 'an encoded id' && { encoded: true as const }),
      facts,
    };
  };
}

/** @param rounds each gets the last try of each request */
function scriptOf(
  row: ReportRow,
  requests: readonly ReportExchange[],
  rounds: Exchange[][],
  sending: ReturnType<typeof sendingOf>,
): Script {
  const writes = requests.flatMap(({ operation, params }) => labelWriteOf(operation, params) ?? []);
  return {
    id: `reproduce/${row.id}`,
    title: row.title,
    tries: [row.rule.id as RuleId],
    ...(writes.length > 0 && { locks: writes.map(({ holder }) => holderKey(holder)) }),
    async run({ scene }) {
      const { deployment } = scene;
      for (const round of rounds)
        for (const [i, one] of requests.entries()) {
          const isLook = i === requests.length - 1 && requests.length > 1 && one.method === 'GET';
          if (isLook) await scene.sleep(deployment.settleMilliseconds);
          round.push(await scene.send(sending(one, deployment)));
        }
    },
  };
}

function outcomeOf(
  history: History,
  { id, rule: { id: ruleId }, breaches: [breach] }: ReportRow,
  rounds: readonly (readonly Exchange[])[],
  share: number,
): Reproduction {
  const rule = ruleId as RuleId;
  const deployment = deploymentOf(history.known.target);
  /** Whether a round shows it; null where its last request was not served, or is missing. */
  const shows = (round: readonly Exchange[]): boolean | null => {
    const last = round.at(-1);
    if (last === undefined || last.status === null) return null;
    if (breach?.sight) return isSeen(breach.sight, last);
    if (replySigns(last, deployment, rule).length > 0) return true;
    return (evidenceIn({ ...history, exchanges: round }).get(rule)?.failures.length ?? 0) > 0;
  };
  const all = rounds.map(shows);
  const shown = all.filter((one) => one === true).length;
  const of = all.filter((one) => one !== null).length;
  const result = (outcome: Reproduction['outcome'], message: string): Reproduction => ({
    rule: id,
    outcome,
    message,
    exchanges: rounds.findLast(({ length }) => length > 0) ?? [],
  });
  const stopped = history.skipped.find(({ reason }) => reason === 'stopped');
  if (stopped !== undefined) return result('unclear', stopped.why.join('; '));
  if (of === 0) return result('unclear', `in ${rounds.length} rounds no reply tells: ${statusesOf(history)}`);
  if (shown > 0) return result('broken', `seen again: ${shown} of ${of}`);
  return result(
    'gone',
    (1 - share) ** of < 0.05
      ? `not seen in ${of}; missed with less than 5% at the recorded share`
      : `not seen in ${of}; a share above ${(smallestShare(of) * 100).toPrecision(2)}% would be missed with less than 5%`,
  );
}

const statusesOf = ({ exchanges }: History) =>
  [...new Set(exchanges.map(({ status, failure }) => status ?? failure ?? 'no reply'))].join(', ');

/** The scripts of the rule, and what they show. */
async function runAgain(row: ReportRow, rule: RuleId, target: Target, options: RunOptions): Promise<Reproduction> {
  const law = laws.find(({ id }) => id === row.id);
  if (law === undefined) throw new ConfigurationError([`${row.id}: this version of partnerkit has no such law`]);
  const history = await gather(target, { ...options, rules: new Set([rule]) });
  const { outcome, message, finding } = judgeBy(law, history);
  const isBroken = outcome === 'fail' || outcome === 'warn';
  const isKept = outcome === 'pass';
  const shown = finding.breaches.slice(0, 1).flatMap(({ exchange, with: others = [] }) => [...others, exchange]);
  return {
    rule: row.id,
    outcome: isBroken ? 'broken' : isKept ? 'gone' : 'unclear',
    message: `it takes more than a few requests: its scripts run; ${isKept ? `not seen in ${finding.applied}` : message}`,
    exchanges: shown,
  };
}

/** The outcome, with the requests and replies of its last round, redacted. */
export function reproductionText({ rule, outcome, message, exchanges }: Reproduction, target: Target): string {
  // A reply may hold control characters.
  return `${terminalText([`${rule}: ${outcome}`, `  ${message}`, ...exchanges.flatMap((one) => exchangeLines(one, target))].join('\n'))}\n`;
}

function exchangeLines(exchange: Exchange, target: Target): string[] {
  const { n, operation, key, sentAt, doneAt, status, headers, body, failure } = exchange;
  return [
    '',
    `--- ${n}: ${operation ?? 'no operation'}, ${key ?? 'no key'}, ${Math.round(doneAt - sentAt)} ms`,
    `$ ${explained(curlOf(exchange), target)}`,
    failure === null ? `< ${status}` : `< no reply: ${failure}`,
    ...Object.entries(headers).map(([name, value]) => `< ${name}: ${value}`),
    ...(body ? ['', body] : []),
  ];
}
