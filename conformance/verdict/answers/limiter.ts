/** What deployments do about limits where the specification is silent. */
import { describeJudgement } from '../../../spec/limiter/describe-judgement.ts';
import { isThrottled, measurementOf } from '../limiter/uses.ts';
import type { Traffic } from '../traffic.ts';
import type { Answered, OfWhole } from './index.ts';

/** How "a burst on top of the rate" is read. */
function readingIn(traffic: Traffic): Answered {
  const measured = measurementOf(traffic);
  if (measured === null) return {};
  const { perSecond, burst } = measured.use.limit;
  const { best, low, high } = measured.judgement.measured.burst;
  if (best === undefined) {
    const isInfinite = high === Number.POSITIVE_INFINITY;
    const bounds = isInfinite ? `at least ${low.toFixed(0)}` : `between ${low.toFixed(0)} and ${high.toFixed(0)}`;
    return { applied: 1, answers: [low > 0 || !isInfinite ? `${bounds} at once` : 'not measured'] };
  }
  const readings = [
    ['bucket-20', burst],
    ['gcra-21', burst + 1],
    ['bucket-30', burst + perSecond],
    ['gcra-31', burst + perSecond + 1],
  ] as const;
  const reading = readings.find(([, size]) => size === best)?.[0];
  const isDefault = perSecond === 10 && burst === 20;
  return {
    applied: 1,
    answers: [`${best} at once`],
    ...(isDefault && { profile: [{ limits: reading ? { reading } : { atOnce: best } }] }),
  };
}

/** Which waits the 429s ask for. */
function waitsIn({ exchanges }: Traffic): Answered {
  const values = exchanges.filter(isThrottled).map(({ headers }) => headers['retry-after']?.trim() ?? 'nothing');
  const different = [...new Set(values)];
  const [only = ''] = different;
  const isFixed = different.length === 1 && values.length > 1 && /^[2-9]$|^\d{2,}$/.test(only);
  return {
    ...(values.length > 0 && { answers: [`Retry-After: ${different.slice(0, 5).join(', ')}`] }),
    ...(isFixed && { profile: [{ limits: { retryAfter: Number(only) } }] }),
  };
}

function seenIn(traffic: Traffic): Answered {
  const measured = measurementOf(traffic);
  return measured?.judgement.verdict === 'pass' ? { answers: [describeJudgement(measured.judgement)] } : {};
}

/** What deployments do about limits where the specification is silent. */
export const limiterAnswers: OfWhole = {
  'limiter/429-has-retry-after': waitsIn,
  'limiter/steady-rate': seenIn,
  'limiter/burst': seenIn,
  'limiter/clustering-gains-nothing': seenIn,
  'limiter/burst-reading': readingIn,
};
