/** What deployments do about limits where the specification is silent. */
import { describeJudgement, figure } from '../../../spec/limiter/describe-judgement.ts';
import type { ProfilePatch } from '../../profile.ts';
import { isThrottled, measurementOf } from '../limiter/uses.ts';
import type { Judge } from '../traffic.ts';

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
