import { closeSync, openSync, readSync } from 'node:fs';
import { utf8Text } from '../text/utf8-text.ts';

const piece = 1 << 20;

/**
 * Reads a text file of limited size. The size in the file system is not trusted, because a device has no end.
 * @param maxBytes the largest size that is read
 * @param decode by default the text must be in UTF-8
 * @throws RangeError if the file is larger or in another encoding, and the errors of opening and reading
 */
export function readTextFile(file: string, maxBytes: number, decode = utf8Text): string {
  const handle = openSync(file, 'r');
  try {
    const pieces: Buffer[] = [];
    let size = 0;
    for (;;) {
      const buffer = Buffer.allocUnsafe(piece);
      const read = readSync(handle, buffer, 0, piece, null);
      if (read === 0) return decode(Buffer.concat(pieces, size));
      size += read;
      if (size > maxBytes) throw new RangeError(`is larger than ${Math.round(maxBytes / piece)} MB`);
      pieces.push(buffer.subarray(0, read));
    }
  } finally {
    closeSync(handle);
  }
}
