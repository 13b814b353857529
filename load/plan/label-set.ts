/** What a reply says of labels, whatever its shape: every text in it, sorted. A set of labels is compared through these. */
export function textsIn(body: string | null): readonly string[] {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) walk(part);
  };
  walk(JSON.parse(body ?? ''));
  return texts.sort();
}

/** What `after` has more than `before`, repetitions counted, and what it lacks. */
function difference(
  before: readonly string[],
  after: readonly string[],
): { readonly more: readonly string[]; readonly less: readonly string[] } {
  const counts = new Map<string, number>();
  for (const text of after) counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const text of before) counts.set(text, (counts.get(text) ?? 0) - 1);
  const repeat = (sign: 1 | -1) =>
    [...counts].flatMap(([text, count]) => Array.from({ length: Math.max(0, sign * count) }, () => text));
  return { more: repeat(1), less: repeat(-1) };
}

/**
 * What is wrong with the labels of a reply, against those of the object without the spare label; undefined when nothing is.
 * @param carried whether the spare label must be there (once), must not, or may (undefined: others change it meanwhile)
 */
export function labelFault(
  baseline: readonly string[],
  reply: readonly string[],
  label: { readonly id: string; readonly name?: string | undefined },
  carried: boolean | undefined,
): string | undefined {
  const { more, less } = difference(baseline, reply);
  const isLabel = (text: string) => text === label.id || text === label.name;
  const times = Math.max(
    more.filter((text) => text === label.id).length,
    more.filter((text) => text === label.name).length,
  );
  const foreign = more.filter((text) => !isLabel(text));
  if (less.length > 0) return `the label text ${less[0]} is missing`;
  if (foreign.length > 0) return `the label text ${foreign[0]} was not there before`;
  if (times > 1) return `the label is there ${times} times`;
  if (carried === true && times === 0) return 'the applied label is not there';
  if (carried === false && times > 0) return 'the removed label is still there';
  return undefined;
}
