import { DecodedBytes, isReadable } from './decoded-bytes.ts';
import type { Reading } from './reading.ts';
import { characterTable, filler, foreign, runsOf } from './runs-of.ts';

/** The ordinary and the URL-safe alphabet, with or without line breaks. */
const table = characterTable(
  ['+/', '-_'].map((signs) => `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${signs}`),
  '\r\n\t',
);

const valueAt = (text: string, at: number) => table[text.charCodeAt(at)] ?? foreign;

/**
 * Decodes Base64 in the text. Its beginning is not known, because paths consist of the same characters, so each of the four
 * possible alignments is tried.
 */
export function readBase64(reading: Reading, minLength: number): Reading[] {
  const { text } = reading;
  const decoded = new DecodedBytes(reading, minLength);
  for (const [begin, end] of runsOf(text, table, Math.ceil((minLength * 4) / 3))) {
    // The quick test assumes a single line, so Base64 with line breaks is decoded without it.
    const inLines = /[\r\n\t]/.test(text.slice(begin, end));
    for (let first = begin; first < begin + 4; first++) {
      if (inLines || mayBeText(text, first, end, minLength)) decode(text, first, end, decoded);
    }
  }
  return decoded.readings;
}

function decode(text: string, begin: number, end: number, into: DecodedBytes): void {
  let bits = 0;
  let bitCount = 0;
  let previous = begin;
  for (let i = begin; i < end; i++) {
    const value = valueAt(text, i);
    if (value === filler) continue;
    bits = ((bits << 6) | value) & 0x3fff;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      into.push((bits >> bitCount) & 0xff, previous, i + 1);
    }
    previous = i;
  }
  into.end();
}

/**
 * Whether enough bytes in a row are readable. Not all are decoded: one unreadable byte rules out every stretch that contains it.
 */
function mayBeText(text: string, begin: number, end: number, minLength: number): boolean {
  const bytes = Math.floor(((end - begin) * 6) / 8);
  for (let last = minLength - 1; last < bytes; ) {
    let at = last;
    for (; at > last - minLength; at--) {
      const bit = at * 8;
      const place = begin + Math.floor(bit / 6);
      const [high, low] = [valueAt(text, place), valueAt(text, place + 1)];
      if (!isReadable((((high << 6) | low) >> (4 - (bit % 6))) & 0xff)) break;
    }
    if (at === last - minLength) return true;
    last = at + minLength;
  }
  return false;
}
