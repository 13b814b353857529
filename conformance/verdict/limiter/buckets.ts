/**
 * What the bucket of each key admits. Too much is broken at first sight: nobody else can cause it. Too little may be the work of another client
 * of the key, so it counts only if it comes again, and at the same moments with other keys.
 */
import { brokenRules } from '../../../spec/limiter/broken-rules.ts';
import { describeJudgement } from '../../../spec/limiter/describe-judgement.ts';
import { type Judgement, judge } from '../../../spec/limiter/judge.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { counted } from '../../counted.ts';
import { likelihood } from '../../experiments/chance.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import { littleUse, outage, rare } from '../../numbers.ts';
import type { Evidence } from '../law.ts';
import { firstThrottled, isThrottled, isVolley, type KeyUse, measuredIn, missingIn, sampleOf } from './runs.ts';

type EvidenceOf = (rule: RuleId) => Evidence;

/** The script that measures a key that lacked tokens again, and others at the same moments. */
export const againId = 'limiter/again';
/** The script in which every key sends. */
const keysId = 'limiter/keys';

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
    const judgement = judge(use.limit, use.exchanges.map(sampleOf), { mustShow: {} });
    const { tooLax } = judgement;
    if (tooLax === undefined) continue;
    const inWindow = use.exchanges.filter(({ sentAt, doneAt }) => sentAt >= tooLax.from - 1 && doneAt <= tooLax.to + 1);
    const exchange = inWindow.findLast(succeeded);
    if (exchange === undefined) continue;
    const observed = observedOf(judgement);
    const note = `${noteOf(use, judgement)}; if its limit was raised, say so in its rateLimit`;
    for (const rule of brokenRules(judgement))
      evidenceOf(rule).failures.push({ exchange, expected: expectedOf(use, rule), observed, note, with: [] });
  }
}

/** The runs in which the bucket of a key surely held tokens when a request was throttled, and other requests were served. */
const strictRuns = (use: KeyUse, uses: readonly KeyUse[], isMeant: (run: readonly Exchange[]) => boolean) =>
  use.runs.filter((run) => isMeant(run) && missingIn(run, use.limit) > 0 && isServedAround(firstThrottled(run), uses));

/** What is throttled while nothing is served was throttled by something in front, for all keys together. */
const isServedAround = (throttled: Exchange | undefined, uses: readonly KeyUse[]): boolean =>
  throttled !== undefined &&
  uses.some(({ exchanges }) =>
    exchanges.some(
      (one) => succeeded(one) && one.sentAt >= throttled.sentAt - outage && one.sentAt <= throttled.doneAt + outage,
    ),
  );

const isAgain = (run: readonly Exchange[]) => run.some(({ script }) => script.startsWith(againId));
const isUnpaced = (run: readonly Exchange[]) => run.every(({ paced }) => !paced);

/** The reserved key, and another one where it sent its burst at once, if it was throttled too early. */
export function strictKeys(uses: readonly KeyUse[]): { use: KeyUse; runs: readonly (readonly Exchange[])[] }[] {
  return uses.flatMap((use) => {
    const runs = strictRuns(
      use,
      uses,
      (run) => !isAgain(run) && (use.isReserved || (isUnpaced(run) && run.length > use.limit.burst)),
    );
    return runs.length > 0 ? [{ use, runs }] : [];
  });
}

/** Keys that are throttled too early, again and again, and others with the same requests as well. */
export function judgeStrict(uses: readonly KeyUse[], evidenceOf: EvidenceOf): void {
  const shared = sharedKeys(uses);
  for (const { use, runs } of strictKeys(uses)) {
    if (shared.has(use.key) || judge(use.limit, use.exchanges.map(sampleOf), { mustShow: {} }).tooLax) continue;
    const again = strictRuns(use, uses, isAgain);
    const scripts = new Set(use.runs.filter(isAgain).flatMap((run) => run.map(({ script }) => script)));
    const others = uses.flatMap((one) => {
      const own = one === use ? [] : one.runs.filter((run) => run.some(({ script }) => scripts.has(script)));
      return own.length > 0 ? [{ one, strict: own.filter((run) => missingIn(run, one.limit) > 0) }] : [];
    });
    const [run] = again;
    const exchange = run && firstThrottled(run);
    const rules = new Set<RuleId>(
      [...runs, ...again].map((one) => (isVolley(one, use.limit) ? 'limiter/burst' : 'limiter/steady-rate')),
    );
    const judgement = judge(use.limit, use.exchanges.map(sampleOf), { mustShow: {} });
    if (exchange && run && others.length > 0 && others.every(({ strict }) => strict.length > 0)) {
      const named = brokenRules(judgement);
      const words = `429 while its bucket held ${missingIn(run, use.limit).toFixed(1)} tokens, ${runs.length + again.length} times, and so were ${others.map(({ one }) => `key ${one.key}`).join(' and ')} with the same requests`;
      for (const rule of named.length > 0 ? named : rules)
        evidenceOf(rule).failures.push({
          exchange,
          expected: expectedOf(use, rule),
          observed: observedOf(judgement),
          note: `${noteOf(use, judgement)}; ${words}`,
          with: others.flatMap(({ strict }) => strict.slice(0, 1).flatMap((one) => firstThrottled(one) ?? [])),
        });
    } else
      for (const rule of rules)
        evidenceOf(rule).unclear.push(
          `${describeJudgement(judgement)}; key ${use.key} ${strictWords(again.length, others)}`,
        );
  }
}

function strictWords(again: number, others: readonly { one: KeyUse; strict: readonly unknown[] }[]): string {
  if (others.length === 0) return 'was throttled below its limit, and no other key could be measured beside it';
  const fine = others.filter(({ strict }) => strict.length === 0).map(({ one }) => one.key);
  const when = again === 0 ? 'once, and not when it was measured again' : 'again and again';
  return `was throttled below its limit ${when}, ${fine.length > 0 ? `and key ${fine.join(' and ')} was not with the same requests` : 'as others were'}: another client may use the key`;
}

/** By the trials: keys that lack tokens whenever the others send, and never alone. */
function sharedKeys(uses: readonly KeyUse[]) {
  const shown = new Map<string, { exchange: Exchange; words: string }>();
  for (const { key, limit, exchanges } of uses) {
    const trials = exchanges.filter(
      ({ trial }) => trial?.rule === 'limiter/own-bucket-per-key' && trial.sign.includes(` ${key} `),
    );
    const roundsOf = (arm: string) =>
      [
        ...Map.groupBy(
          trials.filter(({ trial }) => trial?.arm === arm),
          ({ trial }) => trial?.round,
        ).values(),
      ].map((round) => ({ round, lacks: missingIn(round, limit) > 0 }));
    const [script, control] = [roundsOf('script'), roundsOf('control')];
    const [k, j] = [script, control].map((rounds) => rounds.filter(({ lacks }) => lacks).length) as [number, number];
    const exchange = script.find(({ lacks }) => lacks)?.round.find(isThrottled);
    if (exchange && j === 0 && likelihood(k, script.length, j, control.length) < rare)
      shown.set(key, { exchange, words: `${k} of ${script.length} times, alone ${j} of ${control.length} times` });
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
      const sent = run.filter(({ script, trial }) => script === keysId && trial === undefined);
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
export function judgeMeasured(uses: readonly KeyUse[], startedAt: number, evidenceOf: EvidenceOf): void {
  const measured = measuredIn(uses, startedAt);
  if (measured === null) return;
  const { use, judgement } = measured;
  const { verdict, missed, kind, measured: found } = judgement;
  const ofPart = (part: string) => missed.filter((what) => what.includes(part));
  const isExcused = kind?.name === 'throttled-take-tokens';
  const parts: readonly (readonly [RuleId, string])[] = [
    ['limiter/steady-rate', 'rate'],
    ['limiter/burst', 'burst'],
  ];
  for (const [rule, part] of parts) {
    const evidence = evidenceOf(rule);
    if (evidence.failures.length > 0 || evidence.unclear.length > 0) continue;
    if (verdict === 'pass' || (isExcused && part === 'burst' && ofPart(part).length === 0)) evidence.kept++;
    else evidence.unclear.push(unclearWords(use, judgement, ofPart(part)));
  }
  if (use.runs.length > 1 && found) evidenceOf('limiter/clustering-gains-nothing').kept += use.runs.length;
}

function unclearWords({ key }: KeyUse, judgement: Judgement, missed: readonly string[]): string {
  const { kind, reason, verdict } = judgement;
  const why = verdict === 'inconclusive' ? (kind ? `the limiter ${kind.says}` : reason) : describeJudgement(judgement);
  return missed.length > 0
    ? `${why}, and the run could not have shown ${missed.join(', ')}`
    : `key ${key}: ${why}; each throttled request may cost a token, or another client may use the key`;
}
