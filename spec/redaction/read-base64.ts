import { DecodedBytes, isReadable } from './decoded-bytes.ts';
import type { Reading } from './reading.ts';
import { characterTable, filler, foreign, runsOf } from './runs-of.ts';

/** Both alphabets, the ordinary one and the one for URLs; in lines, or not. */
const table = characterTable(
  ['+/', '-_'].map((signs) => `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${signs}`),
  '\r\n\t',
);

const valueAt = (text: string, at: number) => table[text.charCodeAt(at)] ?? foreign;

/**
 * What can be read as Base64. Where it begins is not known, because a path is made of the same characters: each of the four
 * ways to group them is tried.
 */
export function readBase64(reading: Reading, shortest: number): Reading[] {
  const { text } = reading;
  const decoded = new DecodedBytes(reading, shortest);
  for (const [begin, end] of runsOf(text, table, Math.ceil((shortest * 4) / 3))) {
    // What is broken into lines is decoded anyway: its bytes are not where they would be in one line.
    const inLines = /[\r\n\t]/.test(text.slice(begin, end));
    for (let first = begin; first < begin + 4; first++) {
      if (inLines || mayBeText(text, first, end, shortest)) decode(text, first, end, decoded);
    }
  }
  return decoded.readings;
}

function decode(text: string, begin: number, end: number, into: DecodedBytes): void {
  let bits = 0;
  let held = 0;
  let before = begin;
  for (let i = begin; i < end; i++) {
    const value = valueAt(text, i);
    if (value === filler) continue;
    bits = ((bits << 6) | value) & 0x3fff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      into.push((bits >> held) & 0xff, before, i + 1);
    }
    before = i;
  }
  into.end();
}

/**
 * Whether so many bytes in a row can be read, found out without decoding all: one byte that cannot be rules out every stretch
 * that would contain it.
 */
function mayBeText(text: string, begin: number, end: number, shortest: number): boolean {
  const bytes = Math.floor(((end - begin) * 6) / 8);
  for (let last = shortest - 1; last < bytes; ) {
    let at = last;
    for (; at > last - shortest; at--) {
      const bit = at * 8;
      const place = begin + Math.floor(bit / 6);
      const [high, low] = [valueAt(text, place), valueAt(text, place + 1)];
      if (!isReadable((((high << 6) | low) >> (4 - (bit % 6))) & 0xff)) break;
    }
    if (at === last - shortest) return true;
    last = at + shortest;
  }
  return false;
}
