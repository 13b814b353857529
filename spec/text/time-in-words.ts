/** A point in time as all pages write it: `2026-11-21 10:01:02 UTC`. @param at an ISO date-time in UTC */
export const instantInWords = (at: string): string => `${at.slice(0, 19).replace('T', ' ')} UTC`;

/** Seconds of each unit. */
const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** `3.3 ms`, `40 ms`, `1.2 s`, `5 min 3 s`, `1 d 4 h`. */
export function durationInWords(milliseconds: number): string {
  if (milliseconds < 0.05) return milliseconds > 0 ? '< 0.1 ms' : '0 ms';
  if (milliseconds < 1000) return `${Number(milliseconds.toFixed(milliseconds < 10 ? 1 : 0))} ms`;
  if (milliseconds < 60_000) return `${Number((milliseconds / 1000).toFixed(1))} s`;
  const seconds = Math.round(milliseconds / 1000);
  const first = units.findIndex(([, size]) => seconds >= size);
  let rest = seconds;
  const parts = units.slice(0, first + 2).map(([name, size]) => {
    const whole = Math.floor(rest / size);
    rest -= whole * size;
    return whole === 0 ? [] : `${whole} ${name}`;
  });
  return parts.flat().join(' ');
}
