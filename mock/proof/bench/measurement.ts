/** A line of the outcome. Where it has a goal, the median is compared with it. */
export interface Measurement {
  readonly what: string;
  readonly values: readonly number[];
  readonly unit: string;
  /** How the figure was computed, in words. */
  readonly detail: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** @throws RangeError for no values: a run that measured nothing must not look like a result */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('nothing was measured; run at least one round');
  return (lower + upper) / 2;
}

/** By this factor a busy machine alone misses no goal. */
const farOff = 3;

/** Whether even the best round is far off its goal. Noise only makes rounds worse. */
export const isFarOff = ({ atLeast = 0, atMost = Number.POSITIVE_INFINITY, values }: Measurement): boolean =>
  Math.max(...values) < atLeast / farOff || Math.min(...values) > atMost * farOff;

/** The outcome as a Markdown table: each figure with its goal, and the minimum and maximum of all rounds. */
export function outcomeTable(measurements: readonly Measurement[]): string {
  const rows = measurements.map(({ what, values, unit, detail, atLeast, atMost }) => {
    const figure = median(values);
    const isHit = figure >= (atLeast ?? 0) && figure <= (atMost ?? Number.POSITIVE_INFINITY);
    const goal =
      atLeast !== undefined ? `at least ${atLeast} ${unit}` : atMost !== undefined ? `at most ${atMost} ${unit}` : '';
    const range = values.length > 1 ? `${number(Math.min(...values))} to ${number(Math.max(...values))}` : '';
    return [what, goal, `${number(figure)} ${unit}`, range, goal && (isHit ? 'hit' : '**miss**'), detail];
  });
  const head = ['what', 'goal', 'median', 'min to max', '', 'made of'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Three digits that count: more would be noise. */
const number = (value: number) =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
