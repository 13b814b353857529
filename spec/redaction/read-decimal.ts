import { DecodedBytes } from './decoded-bytes.ts';
import type { Reading } from './reading.ts';
import { characterTable, runsOf } from './runs-of.ts';

const table = characterTable(['0123456789'], ' \t\r\n,');

/** Decodes lists of decimal bytes, such as `[97,99,109]`, the JSON of a buffer. */
export function readDecimal(reading: Reading, minLength: number): Reading[] {
  const decoded = new DecodedBytes(reading, minLength);
  // Visible characters have two digits at least.
  for (const [begin, end] of runsOf(reading.text, table, minLength * 2)) {
    for (const number of reading.text.slice(begin, end).matchAll(/\d+/g)) {
      const at = begin + number.index;
      decoded.push(Number(number[0]), at, at + number[0].length);
    }
    decoded.end();
  }
  return decoded.readings;
}
