import type { Target } from '../../spec/files/target.ts';

/** The key whose declared limit makes a run take the longest. */
interface Pace {
  /** `tenant/key` */
  readonly key: string;
  /** Requests of the key that were not answered 429: a throttled request takes no token. */
  readonly requests: number;
  /** The minimal duration of these requests: (requests - burst) / rate. */
  readonly milliseconds: number;
}

/**
 * @param served requests by `tenant/key`, without those answered 429
 * @returns null when no key sent more than its burst
 */
export function paceOf(served: ReadonlyMap<string, number>, { tenants }: Pick<Target, 'tenants'>): Pace | null {
  const all = tenants.flatMap(({ name, keys }) =>
    keys.map(({ name: own, rateLimit: { perSecond, burst } }): Pace => {
      const key = `${name}/${own}`;
      const requests = served.get(key) ?? 0;
      return { key, requests, milliseconds: ((requests - burst) / perSecond) * 1000 };
    }),
  );
  const [busiest] = all.sort((a, b) => b.milliseconds - a.milliseconds);
  return busiest === undefined || busiest.milliseconds <= 0 ? null : busiest;
}
