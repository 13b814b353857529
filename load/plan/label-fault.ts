/** What a reply says of labels, whatever its shape: every text in it. Sets of labels are compared through these. Undefined if it is not JSON. */
export function textsIn(body: string | null | undefined): readonly string[] | undefined {
  const texts: string[] = [];
  const collect = (_: string, value: unknown) => void (typeof value === 'string' && texts.push(value));
  try {
    JSON.parse(body ?? '', collect);
  } catch {
    return undefined;
  }
  return texts;
}

/**
 * What is wrong with the labels of a reply, against those of the record without the label; undefined when nothing is.
 * @param carried whether the label must be there (once), must not, or may (undefined: others change it meanwhile)
 */
export function labelFault(
  baseline: readonly string[] | undefined,
  reply: readonly string[] | undefined,
  label: { readonly id: string; readonly name?: string | undefined },
  carried: boolean | undefined,
): string | undefined {
  if (reply === undefined) return 'the reply is not JSON';
  const more = new Map<string, number>();
  for (const text of reply) more.set(text, (more.get(text) ?? 0) + 1);
  for (const text of baseline ?? []) more.set(text, (more.get(text) ?? 0) - 1);
  const times = Math.max(more.get(label.id) ?? 0, more.get(label.name ?? '') ?? 0);
  for (const [text, count] of more) {
    if (count < 0) return `the label text ${text} is missing`;
    if (count > 0 && text !== label.id && text !== label.name) return `the label text ${text} was not there before`;
  }
  if (times > 1) return `the label is there ${times} times`;
  if (carried === true && times === 0) return 'the applied label is not there';
  if (carried === false && times > 0) return 'the removed label is still there';
  return undefined;
}
