const [quote, backslash, comma, list, object, listEnd, objectEnd] = Array.from('"\\,[{]}', (sign) =>
  sign.charCodeAt(0),
);

/**
 * Estimates, without parsing, what parsing a JSON text in UTF-8 would cost. The size alone does not say it. The syntax is not checked.
 * RFC 8259 allows parsers to limit depth and size.
 * @param maxDepth the depth at which counting stops
 * @returns how deep brackets are nested, and an upper bound for the number of values in lists and objects
 */
export function jsonExtent(text: Uint8Array, maxDepth: number): { readonly depth: number; readonly values: number } {
  let [level, depth, values, quoted] = [0, 0, 0, false];
  for (let at = 0; at < text.length && depth <= maxDepth; at++) {
    const byte = text[at];
    if (byte === quote) quoted = !quoted;
    else if (quoted) at += Number(byte === backslash);
    else if (byte === comma) values++;
    else if (byte === list || byte === object) {
      values++;
      depth = Math.max(depth, ++level);
    } else if (byte === listEnd || byte === objectEnd) level--;
  }
  return { depth, values };
}
