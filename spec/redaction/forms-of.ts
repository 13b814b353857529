import { readingsOf } from './escapes.ts';
import { type Around, folded } from './needles.ts';

/**
 * The folded texts to search for: the secret itself, its hexadecimal digits and its Base64, and both of what a URL or a JSON document
 * makes of it.
 * @param known the secret, or its beginning
 * @param rest the number of unknown characters at the end of the secret
 */
export function formsOf(known: string, rest: number): Map<string, Around> {
  const forms = new Map<string, Around>();
  // In capitals, hexadecimal digits and Base64 are others.
  const spellings = [known, known.toUpperCase(), known.toLowerCase()];
  const written = spellings.flatMap((text) => [text, inUrl(text), inJson(text), inJson(inJson(text))]);
  // Where the secret itself has what looks like an escape, a text reads it otherwise.
  for (const plain of new Set(written.flatMap(readingsOf))) {
    const bytes = bytesOf(plain);
    for (const text of [plain, bytes]) forms.set(folded(text), { rest, before: 0, after: 0 });
    forms.set(hex(bytes), { rest: 2 * rest, before: 0, after: 0 });
    for (const shift of [0, 1, 2]) {
      const [from = 0, to = 0, last = 0] = [0, bytes.length, bytes.length + rest].map((n) => ((shift + n) * 8) / 6);
      const text = btoa('\0'.repeat(shift) + bytes).slice(Math.ceil(from), Math.floor(to));
      const [before = 0, after = 0] = [from, last].map((end) => Number(!Number.isInteger(end)));
      if (text.length >= 6) forms.set(folded(text), { rest: Math.floor(last) - Math.floor(to), before, after });
    }
  }
  return forms;
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Half a pair of surrogates cannot be encoded. */
const inUrl = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''));

const hex = (bytes: string) => Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');

/** The UTF-8 of a text, each byte as one character. */
const bytesOf = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));
