import { DecodedBytes } from './decoded-bytes.ts';
import type { Reading } from './reading.ts';
import { characterTable, runsOf } from './runs-of.ts';

const table = characterTable(['0123456789'], ' \t\r\n,');

/** What can be read as a list of bytes, as JSON has a buffer: `[97,99,109]`. */
export function readDecimal(reading: Reading, shortest: number): Reading[] {
  const decoded = new DecodedBytes(reading, shortest);
  // Visible characters have two digits at least.
  for (const [begin, end] of runsOf(reading.text, table, shortest * 2)) {
    for (const number of reading.text.slice(begin, end).matchAll(/\d+/g)) {
      const at = begin + number.index;
      decoded.push(Number(number[0]), at, at + number[0].length);
    }
    decoded.end();
  }
  return decoded.readings;
}
