import type { Exchange } from '../control/control-types.ts';

/** How full a bucket was at a moment of the mock's clock. */
export interface LevelSample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly level: number;
}

/** The last minute of one key, second by second, oldest first; all lists are equally long. */
export interface Minute {
  /** Unix time in seconds. */
  readonly seconds: readonly number[];
  /** Requests that the bucket let pass. */
  readonly admitted: readonly number[];
  /** Requests that it refused with 429. */
  readonly throttled: readonly number[];
  /** How full it was at the end of the second; null where nobody looked. */
  readonly level: readonly (number | null)[];
}

const length = 60;
/** Judged before any bucket was asked. */
const unjudged = new Set<Exchange['refused']>(['no-key', 'unknown-key', 'revoked-key', 'bearer-only']);

/** @param now milliseconds since the epoch by the mock's clock */
export function minuteOf(
  exchanges: readonly Exchange[],
  key: { readonly tenant: string; readonly name: string },
  samples: readonly LevelSample[],
  now: number,
): Minute {
  const first = Math.floor(now / 1000) - length + 1;
  const seconds = Array.from({ length }, (_, i) => first + i);
  const admitted = seconds.map(() => 0);
  const throttled = seconds.map(() => 0);
  const level = seconds.map((): number | null => null);
  const slotOf = (at: number) => Math.floor(at / 1000) - first;
  for (const { at, tenant, key: name, refused } of exchanges) {
    if (name !== key.name || tenant !== key.tenant || unjudged.has(refused)) continue;
    const slot = slotOf(Date.parse(at));
    const counts = refused === 'throttled' ? throttled : admitted;
    const before = counts[slot];
    if (before !== undefined) counts[slot] = before + 1;
  }
  for (const sample of samples) {
    const slot = slotOf(sample.at);
    if (slot >= 0 && slot < length) level[slot] = sample.level;
  }
  return { seconds, admitted, throttled, level };
}
