import { readFileSync } from 'node:fs';
import { utf8Text } from '../text/utf8-text.ts';

/**
 * Reads a text file in UTF-8 of limited size.
 * @throws RangeError if the file is larger or in another encoding, and the errors of opening and reading
 */
export function readTextFile(file: string, maxBytes: number): string {
  const bytes = readFileSync(file);
  if (bytes.length > maxBytes) throw new RangeError(`is larger than ${Math.round(maxBytes / (1 << 20))} MB`);
  return utf8Text(bytes);
}
