import { folded } from './needles.ts';
import { mayHoldEscapes, readEscapes } from './read-escapes.ts';
import { Reading } from './reading.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * The folded texts to search for, each with the number of characters that must follow: the secret itself, and its Base64,
 * which cannot be decoded once its case was changed.
 * @param known the secret, or its beginning
 * @param rest the number of unknown characters at the end of the secret
 */
export function formsOf(known: string, rest: number): Map<string, number> {
  const forms = new Map<string, number>();
  const spellings = [known, known.toUpperCase(), known.toLowerCase()];
  // Characters of the secret that look like escapes are resolved as well, and give another result in capitals or backwards.
  const resolved = mayHoldEscapes(known)
    ? spellings.flatMap((text) => [withoutEscapes(text), backwards(withoutEscapes(backwards(text)))])
    : spellings;
  for (const plain of new Set([known, ...resolved])) {
    const bytes = bytesOf(plain);
    forms.set(folded(plain), rest).set(folded(bytes), rest);
    for (const before of [0, 1, 2]) {
      const [from, to, last] = [before, before + bytes.length, before + bytes.length + rest].map((n) => (n * 8) / 6);
      const text = base64(bytes, before).slice(Math.ceil(from ?? 0), Math.floor(to ?? 0));
      if (text.length >= 6) forms.set(folded(text), Math.floor(last ?? 0) - Math.floor(to ?? 0));
    }
  }
  return forms;
}

/** The UTF-8 of a text, each byte as one character. */
function bytesOf(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const encoded = encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''));
  return encoded.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
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

const backwards = (text: string) => [...text].reverse().join('');

function withoutEscapes(text: string): string {
  const resolved = readEscapes(new Reading(text));
  return resolved === undefined ? text : withoutEscapes(resolved.text);
}
