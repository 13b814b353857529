import { DecodedBytes } from './decoded-bytes.ts';
import type { Reading } from './reading.ts';
import { characterTable, filler, foreign, runsOf } from './runs-of.ts';

/** Hexadecimal digits, and what may stand between bytes: `6b:33`, `6b 33`, `0x6b, 0x33`. */
const table = characterTable(['0123456789abcdef', '0123456789ABCDEF'], ' \t\r\n:,-xX');

/** Decodes hexadecimal digits in the text. */
export function readHex(reading: Reading, minLength: number): Reading[] {
  const { text } = reading;
  const decoded = new DecodedBytes(reading, minLength);
  for (const [begin, end] of runsOf(text, table, minLength * 2)) {
    // The first digit may belong to the text before the bytes.
    for (const skipped of [0, 1]) {
      let left = skipped;
      let first = -1;
      for (let i = begin; i < end; i++) {
        const value = table[text.charCodeAt(i)] ?? foreign;
        if (value === filler || isPrefix(text, i) || left-- > 0) continue;
        if (first < 0) first = i;
        else {
          decoded.push((table[text.charCodeAt(first)] ?? 0) * 16 + value, first, i + 1);
          first = -1;
        }
      }
      decoded.end();
    }
  }
  return decoded.readings;
}

/** The zero of `0x`. */
const isPrefix = (text: string, at: number) => text[at] === '0' && (text[at + 1] === 'x' || text[at + 1] === 'X');
