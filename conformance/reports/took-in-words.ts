import { counted } from '../counted.ts';
import { durationInWords } from './duration-in-words.ts';
import type { Report } from './report-schema.ts';

/** `took 1 min 18 s (the limit of acme/full makes its 720 requests take 1 min 10 s)`. */
export function tookInWords({ durationMilliseconds, pace }: Pick<Report, 'durationMilliseconds' | 'pace'>): string {
  const took = `took ${durationInWords(durationMilliseconds)}`;
  if (pace === null) return took;
  const { key, requests, milliseconds } = pace;
  return `${took} (the limit of ${key} makes its ${counted(requests, 'request')} take ${durationInWords(milliseconds)})`;
}
