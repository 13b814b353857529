import { describeJudgement } from '../../../spec/limiter/describe-judgement.ts';
import { counted } from '../../counted.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import { type Law, lawOf } from '../judging/law.ts';
import { type Blame, isThrottled, type KeyUse } from './key-use.ts';
import { keysIn, measurementIn } from './keys-in.ts';

/** What each rule expects of a limit. */
const expected: Readonly<Record<keyof Blame, (limit: KeyUse['limit']) => string>> = {
  rate: ({ perSecond }) => `${perSecond} requests per second`,
  burst: ({ burst }) => `a burst of ${burst} after a rest`,
  clustering: ({ perSecond, burst }) =>
    `no more than a burst of ${burst} on top of ${perSecond} requests per second, however requests cluster`,
};

/** The exchange that best shows a wrong limiter: the last of too many admitted requests, or the 429 with the strongest proof. */
export function evidenceIn({ exchanges, judgement: { tooStrict, tooLax }, shut }: KeyUse): Exchange {
  if (shut[0] !== undefined) return shut[0];
  const inWindow =
    tooLax && exchanges.filter(({ sentAt, doneAt }) => sentAt >= tooLax.from - 1 && doneAt <= tooLax.to + 1);
  const refused = tooStrict && exchanges.filter(isThrottled).find(({ sentAt }) => sentAt >= tooStrict.at - 1);
  return inWindow?.findLast(succeeded) ?? refused ?? (exchanges[0] as Exchange);
}

/** Operations that were never throttled while others were. */
export function exemptOperations({ exchanges }: KeyUse): readonly string[] {
  const unpaced = exchanges.filter(({ paced }) => !paced);
  const share = unpaced.filter(isThrottled).length / Math.max(1, unpaced.length);
  return [...Map.groupBy(unpaced, ({ operation, method }) => `${method} ${operation}`)]
    .filter(([, group]) => share > 0.2 && group.length >= 10 && !group.some(isThrottled))
    .map(([name, group]) => `none of ${group.length} requests of ${name} was throttled`);
}

/** `key acme/full got 504 times 429 in 920 requests: admits 5.0 rps: too strict by 50%`, with the proof. */
function summaryOf(use: KeyUse, words = ''): string {
  const { exchanges, key, shut } = use;
  if (shut.length > 0) return words;
  const throttled = exchanges.filter(isThrottled).length;
  const got = `key ${key} got ${throttled} times 429 in ${counted(exchanges.length, 'request')}`;
  return [`${got}: ${words}`, ...exemptOperations(use)].join('; ');
}

/** A law about the bucket of every key. @param shown the part of the measurement that must have been possible */
const ofBuckets = (rule: Law['rule'], title: string, part: keyof Blame, shown: 'rate' | 'burst' | null): Law =>
  lawOf(rule, title, (history) => {
    const uses = keysIn(history);
    const broken = uses.filter(({ blame }) => blame[part] !== undefined);
    const [certain, doubtful] = [
      broken.filter((use) => !use.interference),
      broken.flatMap(({ interference }) => interference ?? []),
    ];
    const measured = measurementIn(history);
    const missed = shown === null ? [] : (measured?.judgement.missed.filter((what) => what.includes(shown)) ?? []);
    const proven = measured !== undefined && (measured.judgement.tooLax ?? measured.judgement.tooStrict) !== undefined;
    return {
      // Without the measurement the law can find a breach, but cannot confirm that the rule is kept.
      applied: measured === undefined ? broken.length : uses.length,
      breaches: certain.map((use) => ({
        exchange: evidenceIn(use),
        expected: `key ${use.key}: ${expected[part](use.limit)}`,
        observed: summaryOf(use, use.blame[part]),
      })),
      unclear: [
        ...doubtful,
        ...(missed.length > 0 && !proven
          ? [`${whyOf(measured)}the run could not have shown ${missed.join(', ')}`]
          : []),
      ],
      // Where another rule is broken, its law says so.
      ...(measured?.judgement.verdict === 'pass' && { answers: [describeJudgement(measured.judgement)] }),
    };
  });

/** What keeps a run from showing a fault, if that is known. */
function whyOf(use: KeyUse | undefined): string {
  const why = use?.late ?? (use?.judgement.kind && `the limiter ${use.judgement.kind.says}`);
  return why ? `${why}, and ` : '';
}

/** Laws about what the bucket of every used key admits. */
export const buckets: readonly Law[] = [
  ofBuckets('limiter/steady-rate', 'every key sustains its rate, not less and not more', 'rate', 'rate'),
  ofBuckets(
    'limiter/burst',
    'every rested key admits its burst on top of the rate, not less and not more',
    'burst',
    'burst',
  ),
  ofBuckets(
    'limiter/clustering-gains-nothing',
    'no clustering of requests in time gets more than the rate and one burst through',
    'clustering',
    null,
  ),
];
