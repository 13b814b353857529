import type { RuleId } from '../../generated/rules.ts';
import { jsonOrUndefined } from '../../text/json-or-undefined.ts';
import { readRetryAfter } from './retry-after.ts';

interface Malformation {
  readonly rule: RuleId;
  /** What the 429 had instead, short enough for a tag of a metric. */
  readonly seen: string;
  /** Whether the rule is broken; false where the 429 keeps the rule, but clients may not understand the value. */
  readonly breaks: boolean;
}

/**
 * What is wrong with a 429: it says in Retry-After how many seconds to wait, and its body is one field `message`.
 * @param body undefined where the body was not read
 */
export function malformed429(
  retryAfter: string | null | undefined,
  body: string | null | undefined,
): readonly Malformation[] {
  const { fault, doubt } = readRetryAfter(retryAfter);
  const bodyFault = body === undefined ? undefined : throttledBodyFault(body);
  return [
    ...of('limiter/429-has-retry-after', fault, true),
    ...of('limiter/429-has-retry-after', doubt, false),
    ...of('limiter/429-body-is-one-message', bodyFault, true),
  ];
}

const of = (rule: RuleId, seen: string | undefined, breaks: boolean): Malformation[] =>
  seen === undefined ? [] : [{ rule, seen, breaks }];

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
