/** Equal for equal values: the keys of objects are in order, since JSON gives their order no meaning. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, inOrder);

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
