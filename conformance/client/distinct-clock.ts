/** Milliseconds. A time since the epoch in milliseconds has fractions down to a quarter of a microsecond. */
const tick = 0.001;

/** The clock without equal readings, so that times tell the order of events even where nothing takes time. */
export function distinctClock(now: () => number): () => number {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    last = Math.max(now(), last + tick);
    return last;
  };
}
