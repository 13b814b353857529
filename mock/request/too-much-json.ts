import { jsonExtent } from '../../spec/json-extent.ts';

/** No JSON of the API is nested deeper. Nine megabytes of brackets would keep a parser busy for seconds. */
const maxDepth = 100;

/** How many brackets open in a text, counted no further than is needed to tell that they may be nested too deep. */
function openings(text: Uint8Array): number {
  let count = 0;
  for (const bracket of [0x5b, 0x7b])
    for (let at = text.indexOf(bracket); at >= 0 && count <= maxDepth; at = text.indexOf(bracket, at + 1)) count++;
  return count;
}

/**
 * Why a JSON text would take far more time or memory than its size suggests, found without parsing it. Null if it would not.
 * @param maxValues how many values all its lists and objects may have together
 */
export function tooMuchJson(text: Uint8Array, maxValues: number = Number.POSITIVE_INFINITY): string | null {
  // The search for one byte is native, and a body of nine megabytes is mostly one long text.
  if (maxValues === Number.POSITIVE_INFINITY && openings(text) <= maxDepth) return null;
  const { depth, values } = jsonExtent(text, maxDepth);
  if (depth > maxDepth) return `nested more than ${maxDepth} deep`;
  return values > maxValues ? `more than ${maxValues} values` : null;
}
