/** Round numbers from `min` to `max` for an axis, about `count` of them. */
export function ticks(min: number, max: number, count: number): number[] {
  const rough = (max - min) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? power;
  const [first, last] = [Math.ceil(min / step), Math.floor(max / step)];
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(6)));
}
