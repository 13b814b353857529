import { type Limit, largestBurst, restSeconds } from './limit.ts';
import { type Phase, type Volley, volleySize } from './phase.ts';

/** A part of a measurement: the purpose of its requests, and their phases. */
export type Part = {
  readonly name: 'clustering' | 'sustained' | 'recovery' | 'paced';
  readonly phases: readonly Phase[];
};

const sustainedSeconds = 18;
const pacedSeconds = 5;

/**
 * A whole measurement of one key's limiter, from a bucket that nothing has used for `restSeconds`. Volleys come first, so that a
 * bucket that starts empty is seen, and one that is empty makes the rate under overload sharp.
 */
export const measurement = (limit: Limit): readonly Part[] => [
  { name: 'clustering', phases: [clustering(limit)] },
  { name: 'sustained', phases: [{ kind: 'steady', perSecond: 1.5 * limit.perSecond, seconds: sustainedSeconds }] },
  { name: 'recovery', phases: [ask(limit)] },
  { name: 'paced', phases: [rest(limit), { kind: 'steady', perSecond: limit.perSecond, seconds: pacedSeconds }] },
];

/** An idle time after which the bucket of an unused key is full. */
export const rest = (limit: Limit): Phase => ({ kind: 'idle', seconds: restSeconds(limit) });

/** Several volleys, because on a slow network the bucket holds a token again before all answers of a volley have arrived. */
export const ask = ({ burst }: Limit): Phase => ({ kind: 'ask', requests: Math.ceil(burst / 2) });

/**
 * Volleys where windows might end. A fixed window that keeps the rate on average and admits no more than an honest burst at once
 * is about as long as a bucket takes to fill, or a second longer. It may begin with the clock: three attacks begin a third of it apart,
 * and each goes on for two fifths of it. Or with the first request: two attacks are one request, then volleys just before and
 * just after its window ends. In between the key rests.
 */
export function clustering(limit: Limit): Phase {
  const full = limit.burst / limit.perSecond;
  const most = Math.ceil(largestBurst(limit));
  const edge = Math.min(0.1, full / 8);
  const attacks = [
    { lead: 0, size: volleySize(limit) },
    { lead: full - edge, size: most },
    { lead: full + 1 - edge, size: most },
  ];
  const volleys: Volley[] = [];
  let free = 0;
  attacks.forEach(({ lead, size }, index) => {
    // The first moment after the rest that lies so many thirds of a window after the first attack.
    const third = (index * full) / attacks.length;
    const begin = third + Math.ceil((free + lead - third) / full - 1e-9) * full;
    if (lead > 0) volleys.push({ at: begin - lead, requests: 1 });
    volleys.push({ at: begin, requests: size, alike: index === 0 });
    if (lead > 0) volleys.push({ at: begin + 2 * edge, requests: most });
    for (const part of [0.1, 0.2, 0.3, 0.4])
      volleys.push({ at: begin + part * full, requests: Math.ceil(limit.burst) });
    free = begin + 0.4 * full + restSeconds(limit) + edge;
  });
  return { kind: 'volleys', volleys: volleys.sort((a, b) => a.at - b.at) };
}
