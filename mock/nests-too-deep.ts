/** No API has JSON that is deeper, while nine megabytes of brackets would keep a parser busy for seconds. */
export const deepestJson = 100;

const quote = 0x22;
const backslash = 0x5c;

/** Whether the lists and objects of a JSON text are more than `deepestJson` within each other; says nothing of its syntax. */
export function nestsTooDeep(text: Uint8Array): boolean {
  if (text.length <= deepestJson) return false;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) quoted = !quoted;
    else if (quoted) {
      if (byte === backslash) at++;
    } else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > deepestJson) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return false;
}
