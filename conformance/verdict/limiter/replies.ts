/** What keys are answered over their limit: 429 as documented, and nothing else, while other keys are served at the same moments. */

import { readRetryAfter, throttledBodyFault } from '../../../spec/limiter/throttled-reply.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { caseOf } from '../../contract/case.ts';
import { reasonsOf } from '../../contract/reasons.ts';
import { likelihood, tailOf } from '../../experiments/chance.ts';
import { type Exchange, succeeded, withoutMark } from '../../history/exchange.ts';
import { firstRounds, littleUse, maxUnavailable, moment, noChance, outage, rare, rollOut } from '../../numbers.ts';
import type { Deployment } from '../../target/deployment.ts';
import type { Evidence } from '../law.ts';
import { isThrottled, type KeyUse } from './runs.ts';

type EvidenceOf = (rule: RuleId) => Evidence;

/** A year. Times in seconds since 1970 are longer. */
const maxSeconds = 366 * 24 * 3600;

function retryAfterFault({ headers }: Exchange): string | undefined {
  const { fault, seconds = 0 } = readRetryAfter(headers['retry-after']);
  return fault ?? (seconds > maxSeconds ? `Retry-After: ${seconds}, which is a time and no wait` : undefined);
}

const waiting = 'limiter/waiting-retry-after-suffices';

const forms: readonly (readonly [RuleId, string, (exchange: Exchange) => string | undefined])[] = [
  ['limiter/429-has-retry-after', 'a 429 with Retry-After, a number of seconds', retryAfterFault],
  [
    'limiter/429-body-is-one-message',
    '429 with {"message": a string} and nothing else',
    ({ body }) => throttledBodyFault(body && withoutMark(body)),
  ],
  // 0 and decimals are seconds too, so they break no must.
  [
    waiting,
    'Retry-After, a whole number of seconds, from 1 to 300',
    ({ headers }) => readRetryAfter(headers['retry-after']).doubt,
  ],
];

/** How often they came: at times that are further apart than a roll-out is long. */
const timesOf = (exchanges: readonly Exchange[]) =>
  exchanges
    .map(({ sentAt }) => sentAt)
    .sort((a, b) => a - b)
    .filter((at, i, all) => i === 0 || at - (all[i - 1] ?? 0) > rollOut).length;

const spanOf = (exchanges: readonly Exchange[]) =>
  Math.max(...exchanges.map(({ sentAt }) => sentAt)) - Math.min(...exchanges.map(({ sentAt }) => sentAt));

/** The form of the 429s between requests that are served: what comes while nothing is served may be somebody else's. */
export function judge429s(exchanges: readonly Exchange[], evidenceOf: EvidenceOf): void {
  const ofApi = exchanges.filter(({ operation }) => operation !== null && operation !== 'storage');
  const served = ofApi.filter(succeeded).map(({ sentAt }) => sentAt);
  const isWithin = (from: number, to: number) => served.some((time) => time >= from && time <= to);
  const throttled = ofApi.filter(isThrottled);
  const ofKeys = throttled.filter(
    ({ sentAt, doneAt }) => isWithin(sentAt - outage, sentAt) && isWithin(sentAt, doneAt + outage),
  );
  for (const [rule, expected, faultOf] of forms) {
    const faults = ofKeys.flatMap((exchange) => {
      const observed = faultOf(exchange);
      return observed === undefined ? [] : [{ exchange, expected, observed, with: [] }];
    });
    const { failures, unclear } = evidenceOf(rule);
    if (rule !== waiting) evidenceOf(rule).kept += throttled.filter((one) => faultOf(one) === undefined).length;
    if (faults.length > 0 && spanOf(faults.map(({ exchange }) => exchange)) > rollOut) failures.push(...faults);
    else if (faults.length > 0) unclear.push(`${faults[0]?.observed}, in ${faults.length} replies at one time only`);
  }
}

/** Milliseconds. */
const second = 1_000;

/** Requests of keys that exceed their limit, by run, and those of other keys that stay far below theirs. */
interface Arms {
  readonly over: readonly { readonly use: KeyUse; readonly run: readonly Exchange[] }[];
  readonly below: readonly Exchange[];
  /** Requests at the pace of their keys. */
  readonly paced: readonly Exchange[];
  /** What is not served at all is not refused for the limit. */
  readonly served: ReadonlySet<Exchange['operation']>;
}

function armsOf(uses: readonly KeyUse[]): Arms {
  const isOver = ({ limit: { burst } }: KeyUse, run: readonly Exchange[]) => {
    const times = run.filter(({ paced }) => !paced).map(({ sentAt }) => sentAt);
    const few = Math.ceil(littleUse * burst) + 1;
    return times.some((time, i) => (times[i + few] ?? Number.POSITIVE_INFINITY) - time < second);
  };
  const runs = uses.flatMap((use) => use.runs.map((run) => ({ use, run })));
  return {
    paced: uses.flatMap(({ exchanges }) => exchanges.filter((one) => one.paced)),
    served: new Set(uses.flatMap(({ exchanges }) => exchanges.filter(succeeded).map(({ operation }) => operation))),
    over: runs
      .filter(({ use, run }) => isOver(use, run))
      .map(({ use, run }) => ({ use, run: run.filter(({ paced }) => !paced) })),
    below: runs
      .flatMap(({ use, run }) => (isOver(use, run) ? [] : run))
      .filter(({ facts, credential }) => credential === 'key' && (facts === undefined || facts.mutation === null))
      .sort((a, b) => a.sentAt - b.sentAt),
  };
}

/** A failure of the service, or a refusal of a lawful request, in place of a reply about the request. */
function isFailure(one: Exchange, deployment: Deployment): boolean {
  if (succeeded(one) || isThrottled(one)) return false;
  const asked = caseOf(one, deployment);
  return one.status === null || one.status >= 500 || (asked !== null && reasonsOf(asked).length === 0);
}

/** Such a reply to an operation that is served. What a paced request is answered as well is not for the limit. */
function isOther({ served, paced }: Arms, deployment: Deployment) {
  const nameOf = ({ operation, status }: Exchange) => `${operation} ${status}`;
  const usual = new Set(paced.filter((one) => isFailure(one, deployment)).map(nameOf));
  return (one: Exchange) => served.has(one.operation) && isFailure(one, deployment) && !usual.has(nameOf(one));
}

/** Replies to requests over the limit of a key that those below a limit do not get at the same moments, by method. */
interface Other {
  readonly use: KeyUse;
  readonly shown: readonly Exchange[];
  readonly isProved: boolean;
  readonly words: string;
}

function othersIn(arms: Arms, deployment: Deployment): Other[] {
  const { over, below } = arms;
  const shows = isOther(arms, deployment);
  const isAtOnce = (one: Exchange) => (other: Exchange) => Math.abs(one.sentAt - other.sentAt) <= moment;
  const elsewhere = below.filter(shows);
  const all = over.flatMap(({ use, run }) => run.map((exchange) => ({ use, exchange })));
  return [...Map.groupBy(all, ({ exchange }) => exchange.method).values()].flatMap((group) => {
    // What other keys get at the same moment, as from a firewall, is not for the limit.
    const shown = group.filter(({ exchange }) => shows(exchange) && !elsewhere.some(isAtOnce(exchange)));
    const [first] = shown;
    if (first === undefined) return [];
    // Only in runs that show it.
    const isOfMethod = ({ method }: Exchange) => method === first.exchange.method;
    const runs = over.filter(({ run }) => run.some((one) => shows(one) && isOfMethod(one)));
    const own = runs.flatMap(({ run }) => run.filter(isOfMethod));
    const others = below.filter((one) => own.some(isAtOnce(one)));
    const exchanges = shown.map(({ exchange }) => exchange);
    const beside = others.filter(shows);
    const words = wordsOf(exchanges, own, beside, others);
    // What happens at one time only may be a roll-out, and what others get as well, several of them.
    const isSpread = beside.length === 0 ? spanOf(exchanges) > rollOut : timesOf(exchanges) >= noChance;
    // A limiter answers so most times; a roll-out comes between volleys that are throttled as they should be.
    const isMostly =
      runs.length > over.filter(({ run }) => !run.some(shows) && isThrottledOften(run, isOfMethod)).length;
    const isProved = isSpread && isMostly && isRare(exchanges.length, own.length, beside.length, others.length);
    const isOften = beside.length === 0 && tailOf(exchanges.length, own.length, maxUnavailable) < rare;
    const isGone = group.some(({ exchange }) => exchange.script === oddId && isThrottled(exchange));
    return isProved || (isOften && !isGone) ? [{ use: first.use, shown: exchanges, isProved, words }] : [];
  });
}

const isThrottledOften = (run: readonly Exchange[], isMeant: (one: Exchange) => boolean) =>
  run.filter((one) => isMeant(one) && isThrottled(one)).length >= firstRounds;

/** The script in which what came in place of a 429 is asked for again. */
export const oddId = 'limiter/again/other-replies';

/** What must be asked again at another time, before it counts. */
export const oddOnce = (uses: readonly KeyUse[], deployment: Deployment): readonly Other[] =>
  othersIn(armsOf(uses), deployment).filter(({ isProved }) => !isProved);

const isRare = (k: number, n: number, j: number, m: number) => k > 0 && likelihood(k, n, j, m) < rare;

const wordsOf = (...counts: readonly (readonly Exchange[])[]) => {
  const [k, n, j, m] = counts.map(({ length }) => length);
  return `${k} of ${n}, of other keys at the same moments ${j} of ${m}`;
};

/** Whether anything but 429 answers what is over the limit. */
export function judgeStatuses(uses: readonly KeyUse[], deployment: Deployment, evidenceOf: EvidenceOf): void {
  const arms = armsOf(uses);
  const rule = 'limiter/over-the-rate-is-429';
  for (const { use, shown, isProved, words } of othersIn(arms, deployment)) {
    const [exchange, ...more] = shown as [Exchange, ...Exchange[]];
    const observed = `${exchange.status ?? `no reply (${exchange.failure})`} where 429 is documented: ${words}`;
    const expected = `a request over the limit of key ${use.key}: 429`;
    const { failures, unclear } = evidenceOf(rule);
    if (isProved) failures.push({ exchange, expected, observed, with: more.slice(0, 2) });
    else unclear.push(`${observed}, at one time only`);
  }
  evidenceOf(rule).kept += arms.over.flatMap(({ run }) => run.filter(isThrottled)).length;
}
