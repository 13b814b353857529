/** No API has JSON that is deeper, while nine megabytes of brackets would keep a parser busy for seconds. */
const deepest = 100;

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

/**
 * What in a JSON text would cost far more than its size says, found before it is parsed; null where nothing does. Says nothing
 * of its syntax.
 * @param mostValues how many values its lists and objects may have in all
 */
export function tooMuchJson(text: Uint8Array, mostValues: number = Number.POSITIVE_INFINITY): string | null {
  if (text.length <= deepest) return null;
  let depth = 0;
  let values = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) quoted = !quoted;
    else if (quoted) {
      if (byte === backslash) at++;
    } else if (byte === comma) values++;
    else if (byte === 0x5b || byte === 0x7b) {
      values++;
      if (++depth > deepest) return `nested more than ${deepest} deep`;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return values > mostValues ? `more than ${mostValues} values` : null;
}
