import { jsonExtent } from '../../spec/json-extent.ts';

/** No API has JSON that is deeper, while nine megabytes of brackets would keep a parser busy for seconds. */
const deepest = 100;

/**
 * Why a JSON text would cost far more than its size says, found before the text is parsed; null where it would not.
 * @param maxValues how many values its lists and objects may have in all
 */
export function tooMuchJson(text: Uint8Array, maxValues: number = Number.POSITIVE_INFINITY): string | null {
  if (text.length <= deepest) return null;
  const { depth, values } = jsonExtent(text, deepest);
  if (depth > deepest) return `nested more than ${deepest} deep`;
  return values > maxValues ? `more than ${maxValues} values` : null;
}
