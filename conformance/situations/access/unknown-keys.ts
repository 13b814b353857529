/**
 * Values for x-api-key that no key has. Careless code reads a key from them, or fails to read them: nearly a key, a key with something
 * beside it, two keys, wildcards and names of nothing, and values that are too short, too long or have punctuation.
 * @param other another valid secret
 */
export const unknownKeys = (secret: string, other: string): readonly string[] => [
  // No digit, because keys may be numbered.
  secret.slice(0, -1) + (secret.endsWith('x') ? 'y' : 'x'),
  `x${secret}`,
  `${secret}, ${other}`,
  '*',
  'k'.repeat(300),
  `it's "a" key`,
  'null',
  `${secret}%00`,
  'a1',
  'undefined',
  'no.such/key+at:all=',
  '%',
];

/** A key of the same form that does not exist: only the prefix of the key is kept. */
export function lookAlike(secret: string): string {
  const prefix = /^([a-z]+[_-])*/i.exec(secret)?.[0] ?? '';
  return prefix + replaced(secret.slice(prefix.length));
}

/** Each letter and digit is replaced by another, hexadecimal digits by hexadecimal digits. */
const replaced = (text: string) => text.replace(/[a-z0-9]/gi, (one) => next[one] ?? one);

const next: Readonly<Record<string, string>> = Object.fromEntries(
  ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ'].flatMap((all) =>
    [...all].map((one, i) => [one, all[(i + 1) % all.length] ?? one]),
  ),
);
