/** The requests of each key, split into runs that each begin with a full bucket, and what one of them proves. */

import { envelope } from '../../../spec/limiter/envelope.ts';
import { type Judgement, judge } from '../../../spec/limiter/judge.ts';
import { untilFirstThrottled } from '../../../spec/limiter/kind.ts';
import type { Limit } from '../../../spec/limiter/limit.ts';
import { proofs, steppedRefill } from '../../../spec/limiter/measure.ts';
import type { Observation } from '../../../spec/limiter/observation.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { Deployment } from '../../target/deployment.ts';
import { tenantsOf } from '../../target/records.ts';

/** The requests with one key. */
export interface KeyUse {
  /** `tenant/key`. */
  readonly key: string;
  readonly limit: Limit;
  /** Whether nothing but measurements of this run uses the key. */
  readonly isReserved: boolean;
  /** In the order of sending. */
  readonly exchanges: readonly Exchange[];
  readonly runs: readonly (readonly Exchange[])[];
}

export const isThrottled = ({ status }: { readonly status: number | null }) => status === 429;

export const sampleOf = ({ sentAt, doneAt, status, operation }: Exchange): Observation => ({
  sentAt,
  doneAt,
  status: status ?? 0,
  operation: operation ?? undefined,
});

/** The used keys of the target file, the reserved one first. */
export function usesIn(exchanges: readonly Exchange[], deployment: Deployment, startedAt: number): readonly KeyUse[] {
  // A key in another place than x-api-key does not authenticate, but a deployment may count the request for the key's bucket.
  const byKey = Map.groupBy(
    exchanges.filter(
      ({ key, operation, credential, status }) =>
        key !== null && operation !== 'storage' && (credential === 'key' || status !== 429),
    ),
    ({ key }) => key,
  );
  return tenantsOf(deployment)
    .flatMap((owner) => owner.keys.map((key) => ({ key, owner })))
    .flatMap(({ key: { name, rateLimit, use, revoked }, owner }): KeyUse[] => {
      const all = byKey.get(`${owner.name}/${name}`) ?? [];
      if (all.length === 0 || revoked) return [];
      const isReserved = use === 'limits' && owner === deployment.tenant;
      const limit: Limit = { perSecond: rateLimit.perSecond, burst: rateLimit.burst };
      return [{ key: `${owner.name}/${name}`, limit, isReserved, exchanges: all, runs: runsOf(all, limit, startedAt) }];
    })
    .sort((a, b) => Number(b.isReserved) - Number(a.isReserved));
}

/** A run begins where the bucket was surely full, even if each throttled request took a token. */
function runsOf(exchanges: readonly Exchange[], { perSecond, burst }: Limit, startedAt: number) {
  const runs: Exchange[][] = [];
  // Somebody may have used the key just before.
  let [busyUntil, throttled] = [startedAt, 0];
  for (const one of exchanges) {
    const seconds = (burst + throttled) / perSecond + 0.2;
    if (one.sentAt - busyUntil >= seconds * 1000) {
      runs.push([]);
      throttled = 0;
    }
    runs.at(-1)?.push(one);
    if (isThrottled(one)) throttled++;
    busyUntil = Math.max(busyUntil, one.doneAt);
  }
  return runs;
}

/**
 * The tokens that the bucket surely held when the first request of this run was throttled; 0 where it may have been empty. What comes after the
 * first says less: it is open what a throttled request costs.
 */
export function missingIn(run: readonly Exchange[], limit: Limit): number {
  const samples = untilFirstThrottled(run.map(sampleOf));
  if (samples.length === 0) return 0;
  const { tooStrict } = proofs(limit, envelope(samples, limit, {}));
  // A bucket may get the tokens of a second at once, if that explains the whole run.
  return tooStrict === undefined || steppedRefill(limit, run.map(sampleOf)) !== undefined ? 0 : tooStrict.tokens;
}

/** The request that was throttled although the bucket held tokens. */
export const firstThrottled = (run: readonly Exchange[]): Exchange | undefined => run.find(isThrottled);

/** Whether the run was a volley until its first 429, and shows the burst; else it shows the rate. */
export const isVolley = (run: readonly Exchange[], { perSecond, burst }: Limit): boolean => {
  const first = firstThrottled(run);
  return first !== undefined && first.sentAt - (run[0] as Exchange).sentAt < (500 * burst) / perSecond;
};

/** The measurement of the reserved key; null where there was none. */
export function measuredIn(uses: readonly KeyUse[], startedAt: number): { use: KeyUse; judgement: Judgement } | null {
  const use = uses.find(({ isReserved, exchanges }) => isReserved && exchanges.some(({ paced }) => !paced));
  if (use === undefined) return null;
  const samples = use.exchanges.map(sampleOf);
  const [first] = samples;
  const startedFull = first !== undefined && first.sentAt - startedAt >= (1000 * use.limit.burst) / use.limit.perSecond;
  return { use, judgement: judge(use.limit, samples, { startedFull }) };
}
