/** When one request will pass; a wait of null means that there is no limit. @param wait in milliseconds */
export function describeWait(wait: number | null): string {
  if (wait === null || wait === 0) return 'at once';
  return wait < 60_000 ? `in ${(wait / 1_000).toFixed(1)} s` : `in ${Math.ceil(wait / 60_000)} min`;
}
