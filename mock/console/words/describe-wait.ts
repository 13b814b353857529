/** When the next request will pass. @param wait in milliseconds; null for a key without a limit */
export function describeWait(wait: number | null): string {
  if (wait === null || wait === 0) return 'at once';
  return wait < 60_000 ? `in ${(wait / 1_000).toFixed(1)} s` : `in ${Math.ceil(wait / 60_000)} min`;
}
