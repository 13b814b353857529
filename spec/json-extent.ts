/** Measures of a JSON text. */
interface JsonExtent {
  /** How deep brackets are nested. Counting stops at `maxDepth` + 1. */
  readonly depth: number;
  /** An upper bound for the number of values in lists and objects. Counting stops where the nesting gets too deep. */
  readonly values: number;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

/** All other characters need only one comparison. */
const special = new Uint8Array(256);
for (const byte of [quote, comma, backslash, 0x5b, 0x7b, 0x5d, 0x7d]) special[byte] = 1;

/**
 * Estimates, without parsing, what parsing a JSON text in UTF-8 would cost. The size alone does not say it. The syntax is not checked.
 * RFC 8259 allows parsers to limit depth and size.
 * @param maxDepth the depth at which counting stops
 */
export function jsonExtent(text: Uint8Array, maxDepth: number): JsonExtent {
  let level = 0;
  let depth = 0;
  let values = 0;
  let quoted = false;
  for (let at = 0; at < text.length && depth <= maxDepth; at++) {
    const byte = text[at] as number;
    if (special[byte] === 0) continue;
    if (byte === quote) quoted = !quoted;
    else if (quoted) {
      if (byte === backslash) at++;
    } else if (byte === comma) values++;
    else if (byte === 0x5b || byte === 0x7b) {
      values++;
      if (++level > depth) depth = level;
    } else if (byte === 0x5d || byte === 0x7d) level--;
  }
  return { depth, values };
}
