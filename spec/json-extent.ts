/** How much a JSON text holds. */
interface JsonExtent {
  /** How deep brackets are nested in the text; one more than `deepest` where they are nested deeper than that. */
  readonly depth: number;
  /** How many values lists and objects have at most; counting ends where the nesting gets too deep. */
  readonly values: number;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

/** All other characters are skipped, each after one comparison. */
const special = new Uint8Array(256);
for (const byte of [quote, comma, backslash, 0x5b, 0x7b, 0x5d, 0x7d]) special[byte] = 1;

/**
 * What parsing a JSON text in UTF-8 would cost, found before the text is parsed: the size does not tell. The syntax is not checked.
 * RFC 8259 allows a reader limits of both.
 * @param deepest where counting ends
 */
export function jsonExtent(text: Uint8Array, deepest: number): JsonExtent {
  let level = 0;
  let depth = 0;
  let values = 0;
  let quoted = false;
  for (let at = 0; at < text.length && depth <= deepest; at++) {
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
