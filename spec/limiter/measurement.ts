import { type Limit, largestBurst, restSeconds } from './limit.ts';

/** One step of what is sent with a key, as data: conformance and k6 carry it out alike. Seconds, and requests per second. */
export type Phase =
  /** Evenly paced, whatever the answers are. */
  | { readonly kind: 'steady'; readonly perSecond: number; readonly seconds: number }
  /** Each `at` its time since the phase began, in one tick, over connections that are open already, whatever the answers are. */
  | { readonly kind: 'volleys'; readonly volleys: readonly Volley[] }
  /** After every answer has arrived, nothing is sent for these seconds. */
  | { readonly kind: 'idle'; readonly seconds: number }
  /** Few in one tick; where one is throttled, its Retry-After is waited for (and what the others took), and one more is sent. */
  | { readonly kind: 'ask'; readonly requests: number };

/** `alike`: all of one operation, where others mix several, so that a limit for each operation shows. */
export type Volley = { readonly at: number; readonly requests: number; readonly alike?: boolean };

/** More requests than two gateways admit together, each with a bucket of its own, in any honest reading of the limit. */
export const volleySize = (limit: Limit): number => Math.ceil(2 * largestBurst(limit)) + 2;

/** One volley from a full bucket. */
export const volley = (limit: Limit): Phase => ({ kind: 'volleys', volleys: [{ at: 0, requests: volleySize(limit) }] });

const sustainedSeconds = 18;
const pacedSeconds = 5;

/**
 * A whole measurement of one key's limiter, from a bucket that nothing has used for `restSeconds`. Volleys come first, so that a
 * bucket that starts empty is seen, and one that is empty makes the rate under overload sharp.
 */
export const measurement = (limit: Limit): readonly Phase[] => [
  clustering(limit),
  { kind: 'steady', perSecond: 1.5 * limit.perSecond, seconds: sustainedSeconds },
  ask(limit),
  rest(limit),
  { kind: 'steady', perSecond: limit.perSecond, seconds: pacedSeconds },
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

/** The Retry-After that is assumed when the requests of a plan are counted; the run itself waits as the 429 says. */
const assumedWait = 1;

/** When each request of the phases is sent, in seconds from the start of the first, and when the last phase ends. */
export function sendTimes(phases: readonly Phase[]): { readonly times: readonly number[]; readonly seconds: number } {
  const times: number[] = [];
  let start = 0;
  const send = (requests: number, at: number) => {
    for (let i = 0; i < requests; i += 1) times.push(start + at);
  };
  for (const phase of phases) {
    switch (phase.kind) {
      case 'steady': {
        const requests = Math.round(phase.perSecond * phase.seconds);
        for (let i = 0; i < requests; i += 1) send(1, i / phase.perSecond);
        start += phase.seconds;
        break;
      }
      case 'volleys':
        for (const { at, requests } of phase.volleys) send(requests, at);
        start += phase.volleys.at(-1)?.at ?? 0;
        break;
      case 'idle':
        start += phase.seconds;
        break;
      case 'ask':
        send(phase.requests, 0);
        start += assumedWait;
        send(1, 0);
    }
  }
  return { times, seconds: start };
}
