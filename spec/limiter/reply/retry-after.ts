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
