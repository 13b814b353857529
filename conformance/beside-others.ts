import type { Prepared } from './prepare.ts';

/** Limit checks that need not wait until all others are done. */
export interface BesideOthers {
  /** Done first of all, while nothing else is sent: only when these pass can the rest be told apart from what others send. */
  readonly apart: readonly Prepared[];
  /** Then these may be under way beside all others. */
  readonly beside: readonly Prepared[];
}

export const noneBeside: BesideOthers = { apart: [], beside: [] };

/**
 * The limiter of a key can be judged while other keys are busy, if every key has a bucket of its own: the specification says so,
 * and a check shows whether it is so here. The key must be one that no other check uses.
 */
export function besideOthers(limits: readonly Prepared[], others: readonly Prepared[]): BesideOthers {
  const apart = limits.filter(({ check }) => check.rule === 'limiter/own-bucket-per-key');
  if (apart.length === 0 || others.length === 0 || others.some(usesKeptKey)) return noneBeside;
  const beside = limits.filter((prepared) => !apart.includes(prepared) && usesKeptKeyAlone(prepared));
  return beside.length === 0 ? noneBeside : { apart, beside };
}

const usesKeptKey = ({ check, keys, keyOf }: Prepared): boolean =>
  [...Object.values(keys), ...(check.uses ?? []).map(keyOf)].some((key) => key?.use === 'limits');

const usesKeptKeyAlone = ({ check, keys, locks }: Prepared): boolean =>
  (check.uses ?? []).length === 0 && locks.length === 0 && Object.values(keys).every(({ use }) => use === 'limits');
