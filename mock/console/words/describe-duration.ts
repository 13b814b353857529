/** A duration in milliseconds as text, without digits that nobody needs. */
export function describeDuration(milliseconds: number): string {
  if (milliseconds < 0.05) return '< 0.1 ms';
  if (milliseconds >= 100) return `${(milliseconds / 1_000).toFixed(1)} s`;
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}
