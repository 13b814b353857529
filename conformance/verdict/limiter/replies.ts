/** What keys are answered over their limit: 429 as documented, and nothing else, while other keys are served at the same moments. */
import { describeJudgement, figure } from '../../../spec/limiter/describe-judgement.ts';
import { readRetryAfter, throttledBodyFault } from '../../../spec/limiter/throttled-reply.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { reasonsOf } from '../../contract/case.ts';
import { likelihood, tailOf } from '../../experiments/chance.ts';
import { type Exchange, succeeded, withoutMark } from '../../history/exchange.ts';
import { firstRounds, littleUse, maxUnavailable, moment, noChance, outage, rare, rollOut } from '../../numbers.ts';
import type { ProfilePatch } from '../../profile.ts';
import type { Judge, Traffic } from '../traffic.ts';
import { againId, isThrottled, type KeyUse, measurementOf, type Run, usesOf } from './uses.ts';

/** The script in which what came in place of a documented 429 is asked for again. */
export const oddId = `${againId}/other-replies`;

const waiting = 'limiter/waiting-retry-after-suffices';

const forms: readonly (readonly [RuleId, string, (exchange: Exchange) => string | undefined])[] = [
  [
    'limiter/429-has-retry-after',
    'a 429 with Retry-After, a number of seconds',
    ({ headers }) => readRetryAfter(headers['retry-after']).fault,
  ],
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

const timesOf = (exchanges: Run) => exchanges.map(({ sentAt }) => sentAt).sort((a, b) => a - b);
const spanOf = (exchanges: Run) => (timesOf(exchanges).at(-1) ?? 0) - (timesOf(exchanges)[0] ?? 0);

/** 429s of a wrong form between requests that are served, by rule: what comes while nothing is served may be somebody else's. */
function wrong429s({ exchanges }: Traffic) {
  const ofApi = exchanges.filter(({ operation }) => operation !== null && operation !== 'storage');
  const served = ofApi.filter(succeeded).map(({ sentAt }) => sentAt);
  const isWithin = (from: number, to: number) => served.some((time) => time >= from && time <= to);
  const throttled = ofApi.filter(isThrottled);
  const between = throttled.filter(
    ({ sentAt, doneAt }) => isWithin(sentAt - outage, sentAt) && isWithin(sentAt, doneAt + outage),
  );
  return forms.map(([rule, expected, faultOf]) => {
    const faults = between.flatMap((exchange) => {
      const observed = faultOf(exchange);
      return observed === undefined ? [] : [{ exchange, expected, observed, with: [] }];
    });
    const right = throttled.filter((one) => faultOf(one) === undefined);
    const isSpread = spanOf(faults.map(({ exchange }) => exchange)) > rollOut;
    const isOnce = faults.length > 0 && !isSpread && !right.some(({ script }) => script === oddId);
    return { rule, faults, right, isSpread, isOnce };
  });
}

/** The form of the 429s. */
export const judge429s: Judge = (traffic, evidenceOf) => {
  for (const { rule, faults, right, isSpread, isOnce } of wrong429s(traffic)) {
    const evidence = evidenceOf(rule);
    if (rule !== waiting) evidence.kept += right.length;
    if (isSpread) evidence.failures.push(...faults);
    if (isOnce)
      evidence.unclear.push(`${faults[0]?.observed}, in ${faults.length} replies at one time only: run it again`);
  }
};

/** Whether more was sent within a second than a key may use beside the overload of others. */
function isOver({ limit: { burst } }: KeyUse, run: Run): boolean {
  const times = run.filter(({ paced }) => !paced).map(({ sentAt }) => sentAt);
  const few = Math.ceil(littleUse * burst) + 1;
  return times.some((time, i) => (times[i + few] ?? Number.POSITIVE_INFINITY) - time < 1_000);
}

/** The requests of keys that exceed their limit, in runs. */
const overIn = (uses: readonly KeyUse[]): Run[] =>
  uses.flatMap((use) => use.runs.filter((run) => isOver(use, run)).map((run) => run.filter(({ paced }) => !paced)));

/** What answers requests over the limit in place of 429, and those below a limit do not get at the same moments, by method. */
function* oddStatuses(traffic: Traffic) {
  const { cases } = traffic;
  const uses = usesOf(traffic);
  const over = overIn(uses);
  const below = uses
    .flatMap((use) => use.runs.filter((run) => !isOver(use, run)).flat())
    .filter(({ facts, credential }) => credential === 'key' && (facts === undefined || facts.mutation === null));
  const all = uses.flatMap(({ exchanges }) => exchanges);
  /** A failure of the service, or a refusal of a lawful request. */
  const isFailure = (one: Exchange) => {
    const asked = cases.get(one);
    const isRefused = asked !== undefined && reasonsOf(asked).length === 0;
    return !succeeded(one) && !isThrottled(one) && (one.status === null || one.status >= 500 || isRefused);
  };
  const nameOf = ({ operation, status }: Exchange) => `${operation} ${status}`;
  const served = new Set(all.filter(succeeded).map(({ operation }) => operation));
  const usual = new Set(all.filter((one) => one.paced && isFailure(one)).map(nameOf));
  // What is served to nobody is not refused for the limit, and neither is what a paced request is answered as well.
  const isOdd = (one: Exchange) => served.has(one.operation) && isFailure(one);
  const shows = (one: Exchange) => isOdd(one) && !usual.has(nameOf(one));
  const isAtOnce = (one: Exchange) => (other: Exchange) => Math.abs(one.sentAt - other.sentAt) <= moment;
  for (const method of new Set(over.flat().map((one) => one.method))) {
    const runs = over.map((run) => run.filter((one) => one.method === method));
    const odd = runs.filter((run) => run.some(shows));
    const own = odd.flat();
    // Only who asks alike at the same moment can show that it is not for the limit: writes at once may also hinder each other.
    const near = below.filter((one) => own.filter(shows).some(isAtOnce(one)));
    const others = near.filter((one) => one.method === method || isOdd(one));
    const beside = others.filter(isOdd);
    // What other keys get at the same moment, as from a firewall, is not for the limit.
    const shown = own.filter((one) => shows(one) && !beside.some(isAtOnce(one)));
    const [exchange, ...more] = shown;
    if (exchange === undefined) continue;
    const [k, n, j, m] = [shown, own, beside, others].map(({ length }) => length) as [number, number, number, number];
    // What happens at one time only may be a roll-out, and what others get as well, several of them.
    const times = timesOf(shown).filter((at, i, sorted) => i === 0 || at - (sorted[i - 1] ?? 0) > rollOut);
    const isSpread = j === 0 ? spanOf(shown) > rollOut : times.length >= noChance;
    // A limiter answers so most times; a roll-out comes between volleys that are throttled as they should be.
    const right = runs.filter((run) => !odd.includes(run) && run.filter(isThrottled).length >= firstRounds);
    const isProved = isSpread && odd.length > right.length && likelihood(k, n, j, m) < rare;
    const isGone = runs.some((run) => run.some((one) => one.script === oddId && isThrottled(one)));
    if (!isProved && (j > 0 || isGone || tailOf(k, n, maxUnavailable) >= rare)) continue;
    yield { exchange, more, isProved, words: `${k} of ${n}, of other keys at the same moments ${j} of ${m}` };
  }
}

/** Requests over the limit that were answered wrongly at one time only, so that they must be sent again. */
export const seenOnce = (traffic: Traffic): readonly Exchange[] => [
  ...[...oddStatuses(traffic)].flatMap(({ exchange, isProved }) => (isProved ? [] : [exchange])),
  ...wrong429s(traffic).flatMap(({ faults: [first], isOnce }) => (isOnce && first ? [first.exchange] : [])),
];

export const judgeStatuses: Judge = (traffic, evidenceOf) => {
  const evidence = evidenceOf('limiter/over-the-rate-is-429');
  evidence.kept += overIn(usesOf(traffic)).flat().filter(isThrottled).length;
  for (const { exchange, more, isProved, words } of oddStatuses(traffic)) {
    const observed = `${exchange.status ?? `no reply (${exchange.failure})`} where 429 is documented: ${words}`;
    const expected = `a request over the limit of key ${exchange.key}: 429`;
    if (isProved) evidence.broken(exchange, expected, observed, more.slice(0, 2));
    else evidence.unclear.push(`${observed}, at one time only`);
  }
};

type Measured = NonNullable<ReturnType<typeof measurementOf>>;

/** How "a burst on top of the rate" is read, in words and as part of a profile. */
function readingOf({ use, judgement }: Measured): readonly [string, ProfilePatch?] {
  const { perSecond, burst } = use.limit;
  const { burst: measured } = judgement.measured;
  const words = figure(measured, 0, 0);
  const readings = [
    ['bucket-20', burst],
    ['gcra-21', burst + 1],
    ['bucket-30', burst + perSecond],
    ['gcra-31', burst + perSecond + 1],
  ] as const;
  const reading = readings.find(([, size]) => size === measured.best)?.[0];
  const isDefault = perSecond === 10 && burst === 20 && measured.best !== undefined;
  return [
    words === undefined ? 'not measured' : `${words} at once`,
    isDefault ? { limits: reading ? { reading } : { atOnce: measured.best } } : undefined,
  ];
}

/** What is open about limits. */
export const judgeLimits: Judge = (traffic, evidenceOf) => {
  const waits = traffic.exchanges.filter(isThrottled).map(({ headers }) => headers['retry-after']?.trim() ?? 'nothing');
  const different = [...new Set(waits)];
  const [only = ''] = different;
  const { answers, profile } = evidenceOf('limiter/429-has-retry-after');
  if (waits.length > 0) answers.push(`Retry-After: ${different.slice(0, 5).join(', ')}`);
  if (different.length === 1 && waits.length > 1 && /^[2-9]$|^\d{2,}$/.test(only))
    profile.push({ limits: { retryAfter: Number(only) } });
  const measured = measurementOf(traffic);
  if (measured === null) return;
  if (measured.judgement.verdict === 'pass')
    for (const rule of ['limiter/steady-rate', 'limiter/burst', 'limiter/clustering-gains-nothing'] as const)
      evidenceOf(rule).answers.push(describeJudgement(measured.judgement));
  const reading = evidenceOf('limiter/burst-reading');
  const [words, patch] = readingOf(measured);
  reading.asked++;
  reading.answers.push(words);
  if (patch) reading.profile.push(patch);
};
