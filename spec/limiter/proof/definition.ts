import { type Admission, admissionOf, type Observation } from '../observation.ts';

// The definitions, word for word, in cubic time: what the sweeps of `envelope.ts` must agree with.
type Widened = { s: number; e: number };
export const widened = (samples: readonly Observation[], admission: Admission, skewMs: number): Widened[] =>
  samples
    .filter((one) => admissionOf(one.status) === admission)
    .map(({ sentAt, doneAt }) => ({ s: sentAt - skewMs, e: doneAt + skewMs }));

export function windowsOf(admitted: readonly Widened[]) {
  return admitted.flatMap(({ s: x }) =>
    admitted
      .filter(({ e: y }) => y >= x)
      .map(({ e: y }) => ({ length: y - x, count: admitted.filter(({ s, e }) => s >= x && e <= y).length })),
  );
}

function takenBefore(
  k: Widened,
  admitted: readonly Widened[],
  strays: readonly Widened[],
  perMs: number,
  tick: number,
) {
  const stray = strays.filter(({ s }) => s <= k.e).length;
  // The bucket was full for the last time at the moment of some admitted request.
  const moments = [k.s - tick, ...admitted.flatMap(({ s, e }) => [s, e])].filter(
    (time) => time <= k.e && admitted.some(({ s, e }) => s <= time && time <= e),
  );
  const taken = moments.map((time) => {
    const since = admitted.filter(({ s, e }) => e >= time && s <= k.e).length + stray;
    return since - perMs * Math.max(0, k.s - time - tick);
  });
  return Math.max(stray, ...taken);
}

export function leastTaken(
  samples: readonly Observation[],
  perMs: number,
  tick: number,
  skewMs: number,
  lateMs: number,
): number {
  const unknown = widened(samples, 'unknown', skewMs);
  // What was refused may have taken a token, so it counts as if it had.
  const taking = [...widened(samples, 'admitted', skewMs), ...widened(samples, 'refused', skewMs)];
  const late = unknown.map(({ s, e }) => ({ s, e: e + lateMs }));
  return Math.min(
    ...widened(samples, 'throttled', skewMs).map((k) =>
      Math.min(takenBefore(k, taking, unknown, perMs, tick), takenBefore(k, [...taking, ...late], [], perMs, tick)),
    ),
  );
}
