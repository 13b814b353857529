import { jsonExtent } from '../../spec/json-extent.ts';

/** No JSON of the API is nested deeper. Nine megabytes of brackets would keep a parser busy for seconds. */
const maxDepth = 100;

/**
 * Why a JSON text would take far more time or memory than its size suggests, found without parsing it. Null if it would not.
 * @param maxValues how many values all its lists and objects may have together
 */
export function tooMuchJson(text: Uint8Array, maxValues: number = Number.POSITIVE_INFINITY): string | null {
  if (text.length <= maxDepth) return null;
  const { depth, values } = jsonExtent(text, maxDepth);
  if (depth > maxDepth) return `nested more than ${maxDepth} deep`;
  return values > maxValues ? `more than ${maxValues} values` : null;
}
