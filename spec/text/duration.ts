import parse from 'parse-duration';

/** Forms of a duration, for messages. */
export const durationForms = 'a duration such as 500ms, 30s, 5m1s, 1h or 1d';

/** Parses a duration such as `500ms`, `1.5s`, `5m1s` or `1h 30m` to milliseconds; undefined for other texts. */
export function milliseconds(text: string): number | undefined {
  // The library ignores parts that it cannot read, so it gets one part at a time.
  const parts = text.match(/\d+(?:\.\d+)?\s*[a-z]+/gi) ?? [];
  if (parts.length === 0 || parts.join('') !== text.replaceAll(/(?<=[a-z])\s+|^\s+|\s+$/gi, '')) return undefined;
  const amounts = parts.map((part) => parse(part));
  return amounts.every((amount) => amount !== null) ? amounts.reduce((sum, amount) => sum + amount, 0) : undefined;
}
