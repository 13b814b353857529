/** A point in time as all pages write it: `2026-11-21 10:01:02 UTC`. @param at an ISO date-time in UTC */
export const instantInWords = (at: string): string => `${at.slice(0, 19).replace('T', ' ')} UTC`;

/** `40 ms`, `1.2 s`, `5 min 3 s`. */
export function durationInWords(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
