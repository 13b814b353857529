/**
 * What the bucket of each key admits. Too much is broken at first sight: nobody else can cause it. Too little may be the work of another client
 * of the key, so it counts only if it comes again, and at the same moments with other keys.
 */
import { brokenRules, describeJudgement } from '../../../spec/limiter/describe-judgement.ts';
import type { Judgement } from '../../../spec/limiter/judge.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { counted } from '../../counted.ts';
import { likelihood } from '../../experiments/trial.ts';
import { succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { littleUse, outage, rare } from '../../numbers.ts';
import type { Evidence } from '../law.ts';
import {
  firstThrottled,
  isAgain,
  isThrottled,
  type KeyUse,
  measurementOf,
  missingIn,
  provedBy,
  type Run,
  seenAgain,
} from './runs.ts';

type EvidenceOf = (rule: RuleId) => Evidence;

const expectedOf = ({ limit: { perSecond, burst }, key }: KeyUse, rule: RuleId) =>
  rule === 'limiter/burst'
    ? `key ${key}: a burst of ${burst} after a rest`
    : rule === 'limiter/steady-rate'
      ? `key ${key}: ${perSecond} requests per second`
      : `key ${key}: at most ${burst} on top of ${perSecond} requests per second, however they cluster`;

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

/** Keys that got more than any honest limiter admits. */
export function judgeLax(uses: readonly KeyUse[], evidenceOf: EvidenceOf): void {
  for (const use of uses) {
    const judgement = provedBy(use);
    const { tooLax } = judgement;
    const exchange = use.exchanges.findLast(
      (one) => tooLax && succeeded(one) && one.sentAt >= tooLax.from - 1 && one.doneAt <= tooLax.to + 1,
    );
    if (exchange === undefined) continue;
    const observed = observedOf(judgement);
    const note = `${noteOf(use, judgement)}; if its limit was raised, say so in its rateLimit`;
    for (const rule of brokenRules(judgement))
      evidenceOf(rule).failures.push({ exchange, expected: expectedOf(use, rule), observed, note, with: [] });
  }
}

/** Whether the bucket surely held tokens when a request was throttled, while others were served: else something in front throttles all keys. */
const isStrict = (uses: readonly KeyUse[]) => (run: Run, use: KeyUse) => {
  const throttled = firstThrottled(run);
  const isNear = (at: number) =>
    throttled !== undefined && at >= throttled.sentAt - outage && at <= throttled.doneAt + outage;
  const isServed = () => uses.some(({ exchanges }) => exchanges.some((one) => succeeded(one) && isNear(one.sentAt)));
  return throttled !== undefined && isServed() && missingIn(run, use.limit) > 0;
};

/** The reserved key, and another one where it sent its burst at once, if it was throttled too early. */
export function strictKeys(uses: readonly KeyUse[]): { use: KeyUse; runs: readonly Run[] }[] {
  return uses.flatMap((use) => {
    const isVolley = (run: Run) => run.every(({ paced }) => !paced) && run.length > use.limit.burst;
    const runs = use.runs.filter(
      (run) => !isAgain(run) && (use.isReserved || isVolley(run)) && isStrict(uses)(run, use),
    );
    return runs.length > 0 ? [{ use, runs }] : [];
  });
}

/** Whether the run was a volley until its first 429, and shows the burst; else it shows the rate. */
const showsBurst = (run: Run, { perSecond, burst }: KeyUse['limit']) =>
  (firstThrottled(run)?.sentAt ?? 0) - (run[0]?.sentAt ?? 0) < (500 * burst) / perSecond;

/** Keys that are throttled too early, again and again, and others with the same requests as well. */
export function judgeStrict(uses: readonly KeyUse[], evidenceOf: EvidenceOf): void {
  const shared = sharedKeys(uses);
  for (const { use, runs } of strictKeys(uses)) {
    const judgement = provedBy(use);
    if (shared.has(use.key) || judgement.tooLax) continue;
    const { shown, others, isProved } = seenAgain(use, uses, isStrict(uses));
    const all = [...runs, ...shown];
    const rules = new Set<RuleId>(
      all.map((run) => (showsBurst(run, use.limit) ? 'limiter/burst' : 'limiter/steady-rate')),
    );
    const [run = []] = shown;
    const exchange = firstThrottled(run);
    if (exchange && isProved) {
      const named = brokenRules(judgement);
      const observed = observedOf(judgement);
      const note = `${noteOf(use, judgement)}; 429 while its bucket held ${missingIn(run, use.limit).toFixed(1)} tokens, ${all.length} times, and so were ${others.map(({ key }) => `key ${key}`).join(' and ')} with the same requests`;
      const beside = others.flatMap((one) => firstThrottled(one.shown[0] ?? []) ?? []);
      for (const rule of named.length > 0 ? named : rules)
        evidenceOf(rule).failures.push({ exchange, expected: expectedOf(use, rule), observed, note, with: beside });
    } else {
      const fine = others.filter((one) => one.shown.length === 0).map(({ key }) => key);
      const when = shown.length === 0 ? 'once, and not when it was measured again' : 'again and again';
      const words =
        others.length === 0
          ? 'and no other key could be measured beside it'
          : `${when}, ${fine.length > 0 ? `and key ${fine.join(' and ')} was not with the same requests` : 'as others were'}: another client may use the key`;
      for (const rule of rules)
        evidenceOf(rule).unclear.push(
          `${describeJudgement(judgement)}; key ${use.key} was throttled below its limit${others.length === 0 ? ',' : ''} ${words}`,
        );
    }
  }
}

/** By the trials: keys that lack tokens whenever the others send, and never alone. */
function sharedKeys(uses: readonly KeyUse[]) {
  const shown = new Map<string, { exchange: (typeof uses)[number]['exchanges'][number]; words: string }>();
  for (const { key, limit, exchanges } of uses) {
    const own = exchanges.filter(
      ({ trial }) => trial?.rule === 'limiter/own-bucket-per-key' && trial.sign.includes(` ${key} `),
    );
    const [script = [], control = []] = ['script', 'control'].map((arm) => [
      ...Map.groupBy(
        own.filter(({ trial }) => trial?.arm === arm),
        ({ trial }) => trial?.round,
      ).values(),
    ]);
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
export function judgeSharing(uses: readonly KeyUse[], evidenceOf: EvidenceOf): void {
  const evidence = evidenceOf('limiter/own-bucket-per-key');
  const shared = sharedKeys(uses);
  for (const [key, { exchange, words }] of shared)
    evidence.failures.push({
      exchange,
      expected: `key ${key} has a bucket of its own`,
      observed: `though rested, it lacked tokens when other keys were used at the same time, ${words}`,
      with: [],
    });
  const together = uses.flatMap((use) =>
    use.runs.flatMap((run) => {
      const sent = run.filter(({ script, trial }) => script === 'limiter/keys' && trial === undefined);
      return sent.length > 0 ? [{ use, sent }] : [];
    }),
  );
  if (!together.some(({ sent }) => sent.some(isThrottled))) return;
  for (const { use, sent } of together.filter(({ use, sent }) => sent.length <= 2 * littleUse * use.limit.burst)) {
    if (missingIn(sent, use.limit) === 0) evidence.kept += Number(sent.every(succeeded));
    else if (!shared.has(use.key))
      evidence.unclear.push(`key ${use.key} lacked tokens while others were used; that they took them is not shown`);
  }
}

/** What the measurement of the reserved key shows to be kept, or could not have shown. */
export function judgeMeasured(history: History, evidenceOf: EvidenceOf): void {
  const measured = measurementOf(history);
  if (measured === null) return;
  const { use, judgement } = measured;
  const { verdict, kind, reason } = judgement;
  for (const [rule, part] of [
    ['limiter/steady-rate', 'rate'],
    ['limiter/burst', 'burst'],
  ] as const) {
    const evidence = evidenceOf(rule);
    if (evidence.failures.length > 0 || evidence.unclear.length > 0) continue;
    const missed = judgement.missed.filter((what) => what.includes(part));
    const isExcused = kind?.name === 'throttled-take-tokens' && part === 'burst' && missed.length === 0;
    const why =
      verdict === 'inconclusive' ? (kind ? `the limiter ${kind.says}` : reason) : describeJudgement(judgement);
    if (verdict === 'pass' || isExcused) evidence.kept++;
    else if (missed.length > 0) evidence.unclear.push(`${why}, and the run could not have shown ${missed.join(', ')}`);
    else
      evidence.unclear.push(
        `key ${use.key}: ${why}; each throttled request may cost a token, or another client may use the key`,
      );
  }
  if (use.runs.length > 1) evidenceOf('limiter/clustering-gains-nothing').kept += use.runs.length;
}
