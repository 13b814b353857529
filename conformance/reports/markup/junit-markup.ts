import { escaped } from '../../../spec/text/escaped-html.ts';

/** An element with its attributes, everything escaped, and what is inside of it as it stands. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inside: readonly string[],
) {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xml(String(value))}"`);
  const start = `<${name}${written.join('')}`;
  return inside.length === 0 ? `${start}/>` : `${start}>${inside.join('\n')}</${name}>`;
}

/** As JUnit has durations. */
export const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);

/** Escaped, and without what XML 1.0 has no place for at all: control characters, halves of surrogate pairs. */
export const xml = (text: string) =>
  escaped(text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''));
