import { jsonOrUndefined } from '../text/json-or-undefined.ts';
import type { Limit } from './limit.ts';
import { admissionOf, type Observation } from './observation.ts';

/** How long a 429 asks its client to wait. `fault`: the header breaks the rule. `doubt`: it keeps the rule, but clients may not understand it. */
type RetryAfter = { readonly seconds?: number; readonly fault?: string; readonly doubt?: string };

/** Seconds. A bucket is full again long before, so a larger number is one of milliseconds, or no client will wait for it. */
const maxWait = 300;

/**
 * Reads a `Retry-After`. The specification says "suggested seconds to wait": an integer of 1 or more is right. 0 and decimals are
 * seconds too, so they break no rule, but HTTP has integers only and a wait of nothing is none. So do more than five minutes, which
 * may be meant as milliseconds. A date, words or nothing at all break the rule. How long the wait is, is judged by its effect: `judgeRetryAfter`.
 */
export function readRetryAfter(value: string | null | undefined): RetryAfter {
  const text = value?.trim() ?? '';
  if (text === '') return { fault: 'no Retry-After' };
  if (!/^\d+(\.\d+)?$/.test(text)) return { fault: `Retry-After: ${short(text)}, not a number of seconds` };
  // A client that is told to wait 0 seconds waits for the shortest time.
  const seconds = Number(text) || 1;
  if (seconds > maxWait)
    return { seconds, doubt: `Retry-After: ${short(text)}, longer than any client should wait; perhaps milliseconds` };
  if (/^0*[1-9]\d*$/.test(text)) return { seconds };
  return { seconds, doubt: `Retry-After: ${short(text)}, not a whole number of seconds, 1 or more` };
}

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);

/**
 * What is wrong with a 429: it says in Retry-After how many seconds to wait, and its body is one field `message`.
 * @param body undefined where the body was not read
 * @returns `seen`, short enough for a tag of a metric; `breaks` is false where the 429 keeps the rule, but clients may not understand it
 */
export function malformed429(retryAfter: string | null | undefined, body: string | null | undefined) {
  const { fault, doubt } = readRetryAfter(retryAfter);
  const found = [
    { rule: 'limiter/429-has-retry-after', seen: fault, breaks: true },
    { rule: 'limiter/429-has-retry-after', seen: doubt, breaks: false },
    {
      rule: 'limiter/429-body-is-one-message',
      seen: body === undefined ? undefined : throttledBodyFault(body),
      breaks: true,
    },
  ] as const;
  return found.flatMap(({ seen, ...one }) => (seen === undefined ? [] : { ...one, seen }));
}

/** What is wrong with the body of a 429, which must be a JSON object with one field, the string `message`. @param body its text */
export function throttledBodyFault(body: string | null): string | undefined {
  if (body === null || body === '') return 'no body';
  const value = jsonOrUndefined(body);
  if (value === undefined) return 'a body that is not JSON';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'a body that is no object';
  const names = Object.keys(value);
  if (!('message' in value)) return `no message, but ${names.slice(0, 3).join(', ') || 'nothing'}`;
  const others = names.filter((name) => name !== 'message');
  if (others.length > 0) return `fields beside message: ${others.slice(0, 3).join(', ')}`;
  return typeof value.message === 'string' ? undefined : 'a message that is no string';
}

/** A 429 and what else was sent with its key. */
export type RetryAfterRun = {
  /** The header's text; null or undefined when the 429 had none. */
  readonly value: string | null | undefined;
  /** The 429 that carried it. */
  readonly throttled: Observation;
  /** Every other request that used the key, before and after, in any order; times in ms as everywhere. */
  readonly others: readonly Observation[];
  readonly limit: Limit;
  /** As in `judge`. Default 1 ms. */
  readonly skewMs?: number;
};

/** Whether waiting as long as a 429 says was enough. */
export type RetryAfterJudgement = {
  /** `malformed`: not a number of seconds. `broken`: a request that waited long enough was throttled. */
  readonly verdict: 'pass' | 'malformed' | 'broken' | 'inconclusive';
  readonly reason: string;
  readonly seconds?: number;
};

/**
 * Whether a 429 kept its `Retry-After`: one request sent after that many seconds passes if nothing else uses the key. Requests
 * that may have taken a token since the 429 lengthen the wait by their refill. A long wait is never a fault: it is a suggestion.
 */
export function judgeRetryAfter({ value, throttled, others, limit, skewMs = 1 }: RetryAfterRun): RetryAfterJudgement {
  const { seconds, fault } = readRetryAfter(value);
  if (seconds === undefined) return { verdict: 'malformed', reason: fault ?? 'no Retry-After' };
  const { perSecond, burst, drift = 0.001, tick = 0 } = limit;
  const promised = throttled.doneAt + seconds * 1000 * (1 + drift) + 2 * skewMs;
  // An unknown request that was sent before the 429 may still reach the limiter later, so it counts although it has ended.
  const mayTake = others.filter(({ status, doneAt }) => {
    const admission = admissionOf(status);
    return admission === 'unknown' || (admission !== 'throttled' && doneAt + 2 * skewMs >= throttled.sentAt);
  });
  const passed = others.filter(
    ({ status, sentAt }) => admissionOf(status) === 'admitted' && sentAt >= throttled.doneAt + seconds * 1000,
  );
  for (const retry of others) {
    // The wait is for one request: where another had passed by then, the bucket may be smaller than declared, which is another rule.
    if (admissionOf(retry.status) !== 'throttled' || passed.some(({ sentAt }) => sentAt <= retry.doneAt)) continue;
    const taken = mayTake.filter(({ sentAt }) => sentAt - 2 * skewMs <= retry.doneAt).length;
    const refill = (taken * 1000) / (perSecond * (1 - drift)) + (taken > 0 ? tick : 0);
    if (taken <= burst - 1 && retry.sentAt >= promised + refill) {
      const waited = ((retry.sentAt - throttled.doneAt) / 1000).toFixed(2);
      const reason = `Retry-After said ${seconds} s, and a request sent ${waited} s after the 429 was throttled again`;
      return { verdict: 'broken', seconds, reason };
    }
  }
  if (passed.length > 0) {
    return {
      verdict: 'pass',
      seconds,
      reason: `a request sent ${seconds} s after the 429 passed, as Retry-After said`,
    };
  }
  const reason = `Retry-After said ${seconds} s: no answered request shows whether that was enough`;
  return { verdict: 'inconclusive', seconds, reason };
}
