/** Some figures of one kind, measured one after the other. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly values: readonly number[];
}

/** @throws RangeError when there is nothing to sum up: a run that measured nothing must not look like a result. */
export function summaryOf(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  const min = sorted[0];
  const max = sorted.at(-1);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (min === undefined || max === undefined || upper === undefined || lower === undefined) {
    throw new RangeError('nothing was measured; run at least one round');
  }
  return { median: (lower + upper) / 2, min, max, values };
}
