/** Round numbers from 0 to `max` for an axis, about `count` of them. */
export function ticks(max: number, count: number): number[] {
  const rough = max / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? power;
  return Array.from({ length: Math.floor(max / step) + 1 }, (_, position) => Number((position * step).toPrecision(6)));
}
