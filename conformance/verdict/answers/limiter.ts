/** What deployments do about limits where the specification is silent. */
import { describeJudgement } from '../../../spec/limiter/describe-judgement.ts';
import type { History } from '../../history/history.ts';
import type { Finding } from '../law.ts';
import { isThrottled, measurementOf, usesOf } from '../limiter/uses.ts';
import type { OfWhole } from './index.ts';

/** How "a burst on top of the rate" is read. */
function readingIn(history: History): Partial<Finding> {
  const measured = measurementOf(history);
  const [exchange] = measured?.use.exchanges ?? [];
  if (measured === null || exchange === undefined) return {};
  const { perSecond, burst } = measured.use.limit;
  const { best, low, high } = measured.judgement.measured.burst;
  if (best === undefined) {
    const isInfinite = high === Number.POSITIVE_INFINITY;
    const bounds = isInfinite ? `at least ${low.toFixed(0)}` : `between ${low.toFixed(0)} and ${high.toFixed(0)}`;
    return { applied: 1, breaches: [], answers: [low > 0 || !isInfinite ? `${bounds} at once` : 'not measured'] };
  }
  const readings = [
    ['bucket-20', burst],
    ['gcra-21', burst + 1],
    ['bucket-30', burst + perSecond],
    ['gcra-31', burst + perSecond + 1],
  ] as const;
  const reading = readings.find(([, size]) => size === best)?.[0];
  const isDefault = perSecond === 10 && burst === 20;
  const breach = { exchange, expected: `a bucket of ${burst}`, observed: `${best} at once` };
  return {
    applied: 1,
    breaches: best === burst ? [] : [breach],
    answers: [`${best} at once`],
    ...(reading && isDefault && { profile: [{ limits: { reading } }] }),
  };
}

/** Which waits the 429s ask for. */
function waitsIn({ exchanges }: History): Partial<Finding> {
  const values = exchanges.filter(isThrottled).map(({ headers }) => headers['retry-after']?.trim() ?? 'nothing');
  const different = [...new Set(values)];
  const [only = ''] = different;
  const isFixed = different.length === 1 && values.length > 1 && /^[2-9]$|^\d{2,}$/.test(only);
  return {
    ...(values.length > 0 && { answers: [`Retry-After: ${different.slice(0, 5).join(', ')}`] }),
    ...(isFixed && { profile: [{ limits: { retryAfter: Number(only) } }] }),
  };
}

function seenIn(history: History): Partial<Finding> {
  const measured = measurementOf(history);
  return measured?.judgement.verdict === 'pass' ? { answers: [describeJudgement(measured.judgement)] } : {};
}

function throttledIn(history: History): Partial<Finding> {
  const over = history.exchanges.filter(({ paced }) => !paced);
  const unseen = usesOf(history).filter(({ exchanges }) => !exchanges.some(isThrottled));
  const none = unseen.length > 0 ? [`no limit was seen of ${unseen.map(({ key }) => `key ${key}`).join(', ')}`] : [];
  return {
    answers: [`${over.filter(isThrottled).length} of ${over.length} unpaced requests were answered 429`, ...none],
  };
}

/** What deployments do about limits where the specification is silent. */
export const limiterAnswers: OfWhole = {
  'limiter/over-the-rate-is-429': throttledIn,
  'limiter/429-has-retry-after': waitsIn,
  'limiter/steady-rate': seenIn,
  'limiter/burst': seenIn,
  'limiter/clustering-gains-nothing': seenIn,
  'limiter/burst-reading': readingIn,
};
