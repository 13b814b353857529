import type { RuleId } from '../../spec/generated/rules.ts';

export interface Malformation {
  readonly rule: RuleId;
  /** What was there instead, short enough for a tag. */
  readonly seen: string;
}

const short = (text: string) => (text.length > 60 ? `${text.slice(0, 57)}...` : text);

/** What is wrong with a 429: Retry-After must be whole seconds, 1 or more, and the body one field `message`, a string. */
export function malformed429(retryAfter: string | undefined, body: string | null): readonly Malformation[] {
  const found: Malformation[] = [];
  const wait = retryAfter?.trim();
  if (wait === undefined || wait === '') found.push({ rule: 'limiter/429-has-retry-after', seen: 'no Retry-After' });
  else if (!/^\d+$/.test(wait) || Number(wait) < 1) {
    found.push({ rule: 'limiter/429-has-retry-after', seen: `Retry-After: ${short(wait)}` });
  }
  if (!isMessage(body)) {
    const seen = body === null || body === '' ? 'no body' : `the body ${short(body)}`;
    found.push({ rule: 'limiter/429-body-is-one-message', seen });
  }
  return found;
}

function isMessage(body: string | null): boolean {
  try {
    const value: unknown = JSON.parse(body ?? '');
    return (
      typeof value === 'object' &&
      value !== null &&
      'message' in value &&
      typeof value.message === 'string' &&
      Object.keys(value).length === 1
    );
  } catch {
    return false;
  }
}
