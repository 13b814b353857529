import { counted } from '../counted.ts';
import type { Report } from './report-schema.ts';

/** `40 ms`, `1.2 s`, `5 min 3 s`. */
export function durationInWords(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** `took 1 min 18 s (the limit of acme/full makes its 720 requests take 1 min 10 s)`. */
export function tookText({ durationMilliseconds, pace }: Pick<Report, 'durationMilliseconds' | 'pace'>): string {
  const took = `took ${durationInWords(durationMilliseconds)}`;
  if (pace === null) return took;
  const { key, requests, milliseconds } = pace;
  return `${took} (the limit of ${key} makes its ${counted(requests, 'request')} take ${durationInWords(milliseconds)})`;
}
