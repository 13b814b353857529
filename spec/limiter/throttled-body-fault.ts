/** What is wrong with the body of a 429: it is a JSON object whose only field is `message`, a string. Takes the body's text. */
export function throttledBodyFault(body: string | null): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body ?? '');
  } catch {
    return body === null || body === '' ? 'no body' : 'a body that is not JSON';
  }
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
