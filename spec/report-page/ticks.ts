/** Round numbers from 0 to `most`, about as many as fit. */
export function ticks(most: number, fitting: number): number[] {
  const rough = most / Math.max(1, fitting);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? power;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, position) => Number((position * step).toPrecision(6)));
}
