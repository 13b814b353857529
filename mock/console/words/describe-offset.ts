const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** How far the mock's clock is from real time, in at most two units: `1 h 5 min ahead`. */
export function describeOffset(milliseconds: number): string {
  let rest = Math.abs(Math.round(milliseconds));
  const parts: string[] = [];
  for (const [name, size] of units) {
    const count = Math.floor(rest / size);
    if (count > 0 && parts.length < 2) parts.push(`${count} ${name}`);
    rest -= count * size;
  }
  return `${parts.join(' ') || '0 ms'} ${milliseconds < 0 ? 'behind' : 'ahead'}`;
}
