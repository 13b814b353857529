import { jsonOrUndefined } from '../../text/json-or-undefined.ts';

/** What is wrong with the body of a 429, which must be a JSON object with one field, the string `message`. @param body its text */
export function throttledBodyFault(body: string | null): string | undefined {
  if (body === null || body === '') return 'no body';
  const value = jsonOrUndefined(body);
  if (value === undefined) return 'a body that is not JSON';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'a body that is no object';
  const names = Object.keys(value);
  if (!('message' in value)) return `no message, but ${names.slice(0, 3).join(', ') || 'nothing'}`;
  if (names.length > 1)
    return `fields beside message: ${names
      .filter((name) => name !== 'message')
      .slice(0, 3)
      .join(', ')}`;
  return typeof value.message === 'string' ? undefined : 'a message that is no string';
}
