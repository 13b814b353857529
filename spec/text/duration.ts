import parse from 'parse-duration';

/** What can be written for a duration, for messages. */
export const durationForms = 'a duration such as 500ms, 30s, 5m1s, 1h or 1d';

/** Milliseconds of a duration such as `500ms`, `1.5s`, `5m1s` or `1h 30m`; undefined for anything else. */
export function milliseconds(text: string): number | undefined {
  // The library ignores parts that it cannot read, so each part is given to the library alone.
  const parts = text.match(/\d+(?:\.\d+)?\s*[a-z]+/gi) ?? [];
  if (parts.length === 0 || parts.join('') !== text.replaceAll(/(?<=[a-z])\s+|^\s+|\s+$/gi, '')) return undefined;
  const amounts = parts.map((part) => parse(part));
  return amounts.reduce<number | undefined>(
    (sum, amount) => (sum === undefined || amount === null ? undefined : sum + amount),
    0,
  );
}
