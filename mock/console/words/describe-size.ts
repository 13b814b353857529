const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes with its unit: `10.5 MB`. */
export function describeSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1_000 && unit < units.length - 1) {
    size /= 1_000;
    unit++;
  }
  return `${unit === 0 ? size : size.toPrecision(3)} ${units[unit]}`;
}
