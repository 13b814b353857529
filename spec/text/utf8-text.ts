import { isUtf8 } from 'node:buffer';

/**
 * The text of bytes in UTF-8, without a byte order mark.
 * @throws RangeError that names the other encoding, as far as the bytes show it
 */
export function utf8Text(bytes: Buffer): string {
  const problem = otherEncoding(bytes);
  if (problem !== undefined) throw new RangeError(problem);
  return new TextDecoder().decode(bytes);
}

/** What is wrong with bytes that are not a text in UTF-8, and what to do; undefined if they are one. */
function otherEncoding(bytes: Buffer): string | undefined {
  const [first = 0, second = 0] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isWide || bytes.subarray(0, 4).includes(0))
    return 'it is in UTF-16 or UTF-32, as old versions of PowerShell write it; save it as UTF-8';
  if (isUtf8(bytes)) return undefined;
  const line = bytes.toString('utf8').split('\ufffd', 1)[0]?.split('\n').length;
  return `it is not in UTF-8 from line ${line} on, but in an encoding such as Windows-1252, or it is no text; save it as UTF-8`;
}
