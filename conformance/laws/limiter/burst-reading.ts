import type { Exchange } from '../../history/exchange.ts';
import { lawOf } from '../judging/law.ts';
import { measurementIn } from './keys-in.ts';

export const burstReading = lawOf('limiter/burst-reading', 'how "a burst on top of the rate" is read', (history) => {
  const use = measurementIn(history);
  if (use === undefined) return { applied: 0, breaches: [] };
  const { perSecond, burst } = use.limit;
  const { best, low, high } = use.judgement.measured.burst;
  if (best === undefined) return { applied: 1, breaches: [], answers: [boundsInWords(low, high)] };
  const readings = {
    'bucket-20': burst,
    'gcra-21': burst + 1,
    'bucket-30': burst + perSecond,
    'gcra-31': burst + perSecond + 1,
  };
  const name = (Object.keys(readings) as (keyof typeof readings)[]).find((one) => readings[one] === best);
  const isDefault = perSecond === 10 && burst === 20;
  return {
    applied: 1,
    breaches:
      best === burst
        ? []
        : [{ exchange: use.exchanges[0] as Exchange, expected: `a bucket of ${burst}`, observed: `${best} at once` }],
    answers: [`${best} at once`],
    ...(name && isDefault && { profile: [{ limits: { reading: name } }] }),
  };
});

const boundsInWords = (low: number, high: number): string => {
  if (high === Number.POSITIVE_INFINITY) return low > 0 ? `at least ${low.toFixed(0)} at once` : 'not measured';
  return `between ${low.toFixed(0)} and ${high.toFixed(0)} at once`;
};
