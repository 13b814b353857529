import { type Around, folded } from './needles.ts';
import { readingsOf } from './read-escapes.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

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
  const written = spellings.flatMap((text) => [
    text,
    wellFormed(text, encodeURIComponent),
    inJson(text),
    inJson(inJson(text)),
  ]);
  // Where the secret itself has what looks like an escape, a text reads it otherwise.
  const read = written.flatMap((text) => Array.from(readingsOf(text), (reading) => reading.text));
  for (const plain of new Set(read)) {
    const bytes = bytesOf(plain);
    for (const text of [plain, bytes]) forms.set(folded(text), { rest, before: 0, after: 0 });
    forms.set(hex(bytes), { rest: 2 * rest, before: 0, after: 0 });
    for (const shift of [0, 1, 2]) {
      const [from, to, last] = [shift, shift + bytes.length, shift + bytes.length + rest].map((n) => (n * 8) / 6) as [
        number,
        number,
        number,
      ];
      const text = base64(bytes, shift).slice(Math.ceil(from), Math.floor(to));
      const [before, after] = [from, last].map((end) => Number(!Number.isInteger(end))) as [number, number];
      if (text.length >= 6) forms.set(folded(text), { rest: Math.floor(last) - Math.floor(to), before, after });
    }
  }
  return forms;
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Half a pair of surrogates cannot be encoded. */
const wellFormed = (text: string, encode: (text: string) => string) => encode(text.replace(/\p{Surrogate}/gu, ''));

const hex = (bytes: string) => Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');

/** The UTF-8 of a text, each byte as one character. */
function bytesOf(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return wellFormed(text, encodeURIComponent).replace(/%(..)/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Base64 by hand: k6 has no `btoa`, and browsers have no `Buffer`. */
function base64(bytes: string, before: number): string {
  let text = '';
  let bits = 0;
  let bitCount = 0;
  const all = '\0'.repeat(before) + bytes;
  for (let i = 0; i < all.length; i++) {
    bits = ((bits << 8) | all.charCodeAt(i)) & 0x3fff;
    for (bitCount += 8; bitCount >= 6; ) {
      bitCount -= 6;
      text += alphabet[(bits >> bitCount) & 63];
    }
  }
  return text;
}
