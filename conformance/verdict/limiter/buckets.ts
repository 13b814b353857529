/**
 * What the bucket of each key admits. Too much is broken at first sight: nobody else can cause it. Too little, and too short a wait, may be the work
 * of another client of the key, so they count only if they come again, and at the same moments with other keys.
 */
import { brokenRules, describeJudgement } from '../../../spec/limiter/describe-judgement.ts';
import { type Judgement, judge } from '../../../spec/limiter/judge.ts';
import { largestBurst, restSeconds, usualLimit } from '../../../spec/limiter/limit.ts';
import { judgeRetryAfter, readRetryAfter } from '../../../spec/limiter/throttled-reply.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { counted } from '../../counted.ts';
import { likelihood, tailOf } from '../../experiments/chance.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import { littleUse, maxUnavailable, noChance, outage, rare } from '../../numbers.ts';
import type { Judge, Traffic } from '../traffic.ts';
import {
  firstThrottled,
  isAgain,
  isThrottled,
  type KeyUse,
  measurementOf,
  missingIn,
  provedBy,
  type Run,
  sampleOf,
  seenAgain,
  usesOf,
} from './uses.ts';

const expectedOf = ({ limit, key }: KeyUse, rule: RuleId) =>
  rule === 'limiter/burst'
    ? `key ${key}: a burst of ${limit.burst} after a rest, ${largestBurst(limit)} by its most generous reading`
    : rule === 'limiter/steady-rate'
      ? `key ${key}: ${limit.perSecond} requests per second after a burst of ${limit.burst}`
      : `key ${key}: at most ${limit.perSecond} requests per second and ${largestBurst(limit)} more, which is the most generous reading of a burst of ${limit.burst}`;

/** `admits 5.0 rps: too strict by 50%`, or what proves it in few words. */
function observedOf(judgement: Judgement): string {
  const { tooLax, reason } = judgement;
  const sentence = describeJudgement(judgement);
  if (!sentence.includes(reason)) return sentence;
  if (tooLax === undefined) return '429 while its bucket held tokens';
  const { admitted, allowed, from, to } = tooLax;
  return `${admitted} in ${((to - from) / 1000).toFixed(2)} s, where at most ${Math.floor(allowed)} may be admitted`;
}

/** `key acme/limits was answered 429 in 76 of 366 requests; 189 admitted within 15.12 s...` */
const noteOf = ({ key, exchanges }: KeyUse, { reason }: Judgement): string =>
  `key ${key} was answered 429 in ${exchanges.filter(isThrottled).length} of ${counted(exchanges.length, 'request')}; ${reason}`;

/** What one more burst explains, and no single moment shows, may come from a restart, which fills a bucket once: a second run must show it, too. */
const isLaxOnce = (use: KeyUse): boolean => {
  const { tooLax } = provedBy(use);
  const isSmall = tooLax && tooLax.to - tooLax.from >= outage && tooLax.admitted - tooLax.allowed <= use.limit.burst;
  return isSmall === true && use.runs.filter((run) => provedBy({ ...use, exchanges: run }).tooLax).length < 2;
};

/** Keys that got more than any honest limiter admits. */
export const judgeLax: Judge = (traffic, evidenceOf) => {
  for (const use of usesOf(traffic)) {
    const judgement = provedBy(use);
    const { tooLax } = judgement;
    const exchange = use.exchanges.findLast(
      (one) => tooLax && succeeded(one) && one.sentAt >= tooLax.from - 1 && one.doneAt <= tooLax.to + 1,
    );
    if (exchange === undefined) continue;
    const observed = observedOf(judgement);
    const note = `${noteOf(use, judgement)}; if its limit was raised, say so in its rateLimit`;
    for (const rule of brokenRules(judgement))
      if (isLaxOnce(use)) evidenceOf(rule).unclear.push(`key ${use.key}: ${observed}, once, as after a restart`);
      else evidenceOf(rule).failures.push({ exchange, expected: expectedOf(use, rule), observed, note, with: [] });
  }
};

/** Whether the bucket surely held tokens when a request was throttled, while others were served: else something in front throttles all keys. */
const isStrict = (uses: readonly KeyUse[]) => (run: Run, use: KeyUse) => {
  const throttled = firstThrottled(run);
  const isNear = (at: number) =>
    throttled !== undefined && at >= throttled.sentAt - outage && at <= throttled.doneAt + outage;
  const isServed = () => uses.some(({ exchanges }) => exchanges.some((one) => succeeded(one) && isNear(one.sentAt)));
  return throttled !== undefined && isServed() && missingIn(run, use.limit) > 0;
};

/** The reserved key, and another one where it sent its burst at once, if it was throttled too early. */
function strictKeys(uses: readonly KeyUse[]): { use: KeyUse; runs: readonly Run[] }[] {
  return uses.flatMap((use) => {
    const isVolley = (run: Run) => run.every(({ paced }) => !paced) && run.length > use.limit.burst;
    const runs = use.runs.filter(
      (run) => !isAgain(run) && (use.isReserved || isVolley(run)) && isStrict(uses)(run, use),
    );
    return runs.length > 0 ? [{ use, runs }] : [];
  });
}

/** How likely a proxy took the tokens that are missing at the first 429, which sends requests again whose replies were lost. */
function chanceOf(run: Run, limit: KeyUse['limit']): number {
  const until = firstThrottled(run)?.doneAt ?? 0;
  const admitted = run.filter((one) => succeeded(one) && one.sentAt <= until).length;
  return tailOf(Math.floor(missingIn(run, limit)), admitted, maxUnavailable);
}

/** Whether the run was a volley until its first 429, and shows the burst; else it shows the rate. */
const showsBurst = (run: Run, { perSecond, burst }: KeyUse['limit']) =>
  (firstThrottled(run)?.sentAt ?? 0) - (run[0]?.sentAt ?? 0) < (500 * burst) / perSecond;

/** Keys that are throttled too early, again and again, and others with the same requests as well. */
export const judgeStrict: Judge = (traffic, evidenceOf) => {
  const uses = usesOf(traffic);
  const shared = sharedKeys(uses);
  for (const { use, runs } of strictKeys(uses)) {
    const judgement = provedBy(use);
    if (shared.has(use.key) || judgement.tooLax) continue;
    const { shown, others, isProved } = seenAgain(use, uses, isStrict(uses));
    const all = [...runs, ...shown];
    const chance = [
      ...all.map((run) => [run, use] as const),
      ...others.flatMap((one) => one.shown.map((run) => [run, one.use] as const)),
    ]
      .map(([run, { limit }]) => chanceOf(run, limit))
      .reduce((product, one) => product * one, 1);
    const [run = []] = shown;
    const exchange = firstThrottled(run);
    const shownBy = all.map((one) => (showsBurst(one, use.limit) ? 'limiter/burst' : 'limiter/steady-rate'));
    if (exchange && isProved && chance < rare) {
      const named = brokenRules(judgement);
      const observed = observedOf(judgement);
      const note = `${noteOf(use, judgement)}; throttled ${counted(all.length, 'time')} while its bucket held tokens; the same happened to ${others.map(({ key }) => `key ${key}`).join(' and ')} with the same requests`;
      const beside = others.flatMap((one) => firstThrottled(one.shown[0] ?? []) ?? []);
      for (const rule of new Set<RuleId>(named.length > 0 ? named : shownBy))
        evidenceOf(rule).failures.push({ exchange, expected: expectedOf(use, rule), observed, note, with: beside });
      continue;
    }
    const alike = others.filter((one) => one.shown.length > 0).length;
    const cause = isProved ? 'a proxy may send some requests again' : 'another client may use the key';
    const words = `${describeJudgement(judgement)}; key ${use.key} was throttled below its limit, when measured again ${shown.length > 0 ? 'too' : 'not'}, and so were ${alike} of ${counted(others.length, 'other key')} with the same requests: ${cause}`;
    for (const rule of new Set<RuleId>(shownBy)) evidenceOf(rule).unclear.push(words);
  }
};

/** By the trials: keys that lack tokens whenever the others send, and never alone. */
function sharedKeys(uses: readonly KeyUse[]): ReadonlyMap<string, { exchange: Exchange; words: string }> {
  const shown = new Map<string, { exchange: Exchange; words: string }>();
  for (const { key, limit, exchanges } of uses) {
    const [script = [], control = []] = (['script', 'control'] as const).map((arm) => {
      const own = exchanges.filter(
        ({ trial }) =>
          trial?.rule === 'limiter/own-bucket-per-key' && trial.sign.includes(` ${key} `) && trial.arm === arm,
      );
      return [...Map.groupBy(own, ({ trial }) => trial?.round).values()];
    });
    const lacks = (round: Run) => missingIn(round, limit) > 0;
    const lacking = script.filter(lacks);
    const exchange = lacking[0]?.find(isThrottled);
    if (exchange && !control.some(lacks) && likelihood(lacking.length, script.length, 0, control.length) < rare)
      shown.set(key, {
        exchange,
        words: `${lacking.length} of ${script.length} times, alone 0 of ${control.length} times`,
      });
  }
  return shown;
}

/** Whether keys get what is theirs while others are overloaded. */
export const judgeSharing: Judge = (traffic, evidenceOf) => {
  const uses = usesOf(traffic);
  const evidence = evidenceOf('limiter/own-bucket-per-key');
  const shared = sharedKeys(uses);
  for (const [key, { exchange, words }] of shared)
    evidence.broken(
      exchange,
      `key ${key} has a bucket of its own`,
      `though rested, it lacked tokens when other keys were used at the same time, ${words}`,
    );
  const together = uses.flatMap((use) =>
    use.runs.flatMap((run) => {
      const sent = run.filter(({ script, trial }) => script === 'limiter/keys' && trial === undefined);
      return sent.length > 0 ? [{ use, sent }] : [];
    }),
  );
  if (!together.some(({ sent }) => sent.some(isThrottled))) return;
  const little = together.filter(({ use, sent }) => sent.length <= 2 * littleUse * use.limit.burst);
  for (const { use, sent } of little) {
    if (missingIn(sent, use.limit) === 0) evidence.kept += Number(sent.every(succeeded));
    else if (!shared.has(use.key))
      evidence.unclear.push(`key ${use.key} lacked tokens while others were used; that they took them is not shown`);
  }
};

/** What the measurement of the reserved key shows to be kept, or could not have shown. */
export const judgeMeasured: Judge = (traffic, evidenceOf) => {
  const measured = measurementOf(traffic);
  if (measured === null) return;
  const { use, judgement } = measured;
  const { verdict, kind, reason } = judgement;
  // A throttled request may cost a token: then one run in which few were throttled before the end shows what the limiter admits.
  const isStrict = verdict === 'too-strict' || kind?.name === 'throttled-take-tokens';
  const isShown = isStrict && use.runs.some((run) => judge(use.limit, run.map(sampleOf)).verdict === 'pass');
  for (const [rule, part, other] of [
    ['limiter/steady-rate', 'rate', 'limiter/burst'],
    ['limiter/burst', 'burst', 'limiter/steady-rate'],
  ] as const) {
    const evidence = evidenceOf(rule);
    if (evidence.failures.length > 0 || evidence.unclear.length > 0) continue;
    if (verdict !== 'pass' && evidenceOf(other).failures.length > 0) {
      evidence.unclear.push(`open while ${other} is broken: judge it again once that is mended`);
      continue;
    }
    const missed = judgement.missed.filter((what) => what.includes(part));
    const why =
      verdict === 'inconclusive' ? (kind ? `the limiter ${kind.says}` : reason) : describeJudgement(judgement);
    const words =
      missed.length > 0 || why === reason
        ? `${why}${why === reason ? '' : `; this run could not show ${missed.join(' or ')}`}`
        : `key ${use.key}: ${why}; each throttled request may cost a token, or another client may use the key`;
    const [declared, least] =
      part === 'rate' ? [use.limit.perSecond, usualLimit.perSecond] : [use.limit.burst, usualLimit.burst];
    if (declared < least)
      evidence.unclear.push(
        `the target file declares ${declared} for key ${use.key}, and the contract ${least}, which may be raised`,
      );
    else if (verdict === 'pass' || isShown) evidence.kept++;
    else evidence.unclear.push(words);
  }
  if (use.runs.length > 1) evidenceOf('limiter/clustering-gains-nothing').kept += use.runs.length;
};

/** The 429s after which nothing was sent with the key until their wait was over, and whether the next request was admitted. */
const waitsIn = (run: Run, { limit }: KeyUse) =>
  run.flatMap((throttled, i) => {
    const next = run[i + 1];
    const value = throttled.headers['retry-after'];
    const { seconds } = readRetryAfter(value);
    if (!isThrottled(throttled) || seconds === undefined || !next) return [];
    if (next.sentAt < throttled.doneAt + seconds * 1000) return [];
    const others = run.filter((one) => one !== throttled).map(sampleOf);
    const { verdict, reason } = judgeRetryAfter({ value, throttled: sampleOf(throttled), others, limit });
    return verdict === 'pass' || verdict === 'broken' ? [{ throttled, isEnough: verdict === 'pass', reason }] : [];
  });

/** Waits after which the next request was throttled, too. */
const shortWaitsOf = (use: KeyUse) => use.runs.flatMap((run) => waitsIn(run, use)).filter(({ isEnough }) => !isEnough);

export const judgeWaits: Judge = (traffic, evidenceOf) => {
  const uses = usesOf(traffic);
  const evidence = evidenceOf('limiter/waiting-retry-after-suffices');
  evidence.kept += uses.flatMap((use) =>
    use.runs.flatMap((run) => waitsIn(run, use).filter((one) => one.isEnough)),
  ).length;
  const waiting = uses.filter((use) => use.runs.some((run) => isAgain(run) && waitsIn(run, use).length > 0));
  for (const use of uses.filter(({ isReserved }) => isReserved)) {
    const short = shortWaitsOf(use);
    const [first] = short;
    if (first === undefined) continue;
    const isShort = (run: Run, one: KeyUse) => waitsIn(run, one).some(({ isEnough }) => !isEnough);
    const { others, isProved } = seenAgain(use, waiting, isShort);
    const named = others.map(({ key }) => `key ${key}`).join(' and ');
    const observed = `${first.reason}, ${counted(short.length, 'time')}, and with ${named}`;
    if (isProved) evidence.broken(first.throttled, 'a request after the wait passes', observed);
    else evidence.unclear.push(`key ${use.key}: ${first.reason}; another client may use the key`);
  }
  // Waits of ten times what fills the whole bucket, after a tenth of which a request was admitted.
  const long = uses.flatMap(({ exchanges, limit }) =>
    exchanges.flatMap((throttled, i) => {
      const value = throttled.headers['retry-after'];
      const { seconds = 0 } = readRetryAfter(value);
      if (!isThrottled(throttled) || seconds < 10 * restSeconds(limit)) return [];
      const early = throttled.doneAt + seconds * 100;
      const later = exchanges.slice(i + 1).filter((one) => one.sentAt >= throttled.doneAt);
      const next = later.find((one) => succeeded(one) || one.sentAt > early);
      const isEarly = next !== undefined && next.sentAt <= early;
      return next !== undefined && (isEarly || isThrottled(next)) ? [{ throttled, next, isEarly, value }] : [];
    }),
  );
  const [first] = long;
  if (first === undefined || long.length < noChance || !long.every(({ isEarly }) => isEarly)) return;
  const { throttled, next, value } = first;
  const after = ((next.sentAt - throttled.doneAt) / 1000).toFixed(2);
  const observed = `Retry-After: ${value}, and a request ${after} s later was admitted; perhaps milliseconds`;
  evidence.broken(throttled, 'Retry-After, the seconds to wait', observed, [next]);
};

/** Keys that must be measured again: they were throttled too early, or got too much once, or the run could not have shown a wrong limit. */
export function doubtsOf(traffic: Traffic): readonly KeyUse[] {
  const strict = [...strictKeys(usesOf(traffic)).map(({ use }) => use), ...usesOf(traffic).filter(isLaxOnce)];
  const measured = measurementOf(traffic);
  if (measured === null || !measured.use.exchanges.some(isThrottled)) return strict;
  const { use, judgement } = measured;
  const isSeen = judgement.verdict === 'pass' || judgement.tooLax !== undefined;
  return [...new Set([...(isSeen && shortWaitsOf(use).length === 0 ? [] : [use]), ...strict])];
}
