import { type Limit, largestBurst } from './limit.ts';

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
