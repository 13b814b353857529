import { escaped } from '../../../spec/text/escaped-html.ts';

/** An XML element. Attributes are escaped; `inside` must be XML already. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inside: readonly string[],
) {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xml(String(value))}"`);
  const start = `<${name}${written.join('')}`;
  return inside.length === 0 ? `${start}/>` : `${start}>${inside.join('\n')}</${name}>`;
}

/** A duration as JUnit writes it. */
export const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);

/** Escaped, and without characters that XML 1.0 forbids: control characters and lone surrogates. */
export const xml = (text: string) =>
  escaped(text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''));
