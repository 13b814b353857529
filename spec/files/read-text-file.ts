import { closeSync, openSync, readSync } from 'node:fs';

const piece = 1 << 20;

/**
 * The text of a file that is no longer than it may be, whatever it says of its own size: a device has no end.
 * @param most bytes
 * @throws RangeError when the file is longer, and the errors of opening and reading
 */
export function readTextFile(file: string, most: number): string {
  const handle = openSync(file, 'r');
  try {
    const pieces: Buffer[] = [];
    let size = 0;
    for (;;) {
      const buffer = Buffer.allocUnsafe(piece);
      const read = readSync(handle, buffer, 0, piece, null);
      if (read === 0) return Buffer.concat(pieces, size).toString('utf8');
      size += read;
      if (size > most) throw new RangeError(`is larger than ${Math.round(most / piece)} MB`);
      pieces.push(buffer.subarray(0, read));
    }
  } finally {
    closeSync(handle);
  }
}
