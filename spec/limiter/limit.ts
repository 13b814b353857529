/** As declared for a key. `drift`: relative error allowed to the rate (0.001); `tick`: refill interval in ms (0: continuous). */
export type Limit = {
  readonly perSecond: number;
  readonly burst: number;
  readonly drift?: number;
  readonly tick?: number;
};

/** The limit of every key, which an operator may raise. */
export const usualLimit: Limit = Object.freeze({ perSecond: 10, burst: 20 });

/**
 * The largest bucket that "a burst on top of the steady rate" can honestly mean: GCRA, with the first second's requests on top
 * of the burst. The smallest is `burst` itself.
 */
export const largestBurst = ({ perSecond, burst }: Limit): number => burst + perSecond + 1;

/** After this many idle seconds a key's bucket is full, whatever was sent before: the time of a refill, and a second to spare. */
export const restSeconds = ({ perSecond, burst }: Limit): number => burst / perSecond + 1;
