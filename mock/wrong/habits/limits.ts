import type { RateLimit } from '../../keys/bucket.ts';
import { type LegalVariant, legal } from '../tampering/defect.ts';
import { bucket, gcra, type Limiting, limitedBy } from '../tampering/limiters.ts';

/** A bucket from which rejected requests take tokens as well. @param debt maximal debt, in bursts */
const consuming =
  (debt: number) =>
  ({ perSecond, burst }: RateLimit): Limiting => {
    let tokens = burst;
    let at: number | null = null;
    return {
      take(now) {
        if (at !== null) tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond);
        at = now;
        const wait = tokens >= 1 - 1e-6 ? 0 : ((1 - tokens) / perSecond) * 1000;
        tokens = wait === 0 ? tokens - 1 : Math.max(-debt * burst, tokens - 1);
        return wait;
      },
    };
  };

const raised = { perSecond: 1_000, burst: 2_000 };

const inBursts = (more: (limit: RateLimit) => number, kind: (limit: RateLimit) => Limiting) => ({
  options: limitedBy((limit) => kind({ ...limit, burst: limit.burst + more(limit) })),
});

/** Options of a deployment whose buckets do not measure as declared. */
const odd = (make: (limit: RateLimit) => Limiting, ...more: readonly ('burst' | 'waiting-retry-after-suffices')[]) => ({
  options: limitedBy(make),
  unjudged: ['limiter/steady-rate' as const, ...more.map((rule) => `limiter/${rule}` as const)],
});

/** Honest readings of "burst 20 on top of 10 per second". */
export const limits: readonly LegalVariant[] = legal({
  'gcra-20': inBursts(() => 0, gcra),
  'gcra-30': inBursts(({ perSecond }) => perSecond, gcra),
  'bucket-30': inBursts(({ perSecond }) => perSecond, bucket),
  'bucket-25': inBursts(() => 5, bucket),
  'limits-raised': [
    'lets every key but the reserved one send a hundred times as much, as the target file says',
    {
      around: ({ handle, mock }) => {
        for (const tenant of ['acme', 'globex'])
          for (const { id, name, revoked } of mock.keys.list(tenant))
            if (name !== 'limits' && !revoked) mock.keys.edit(id, { rateLimit: raised });
        return handle;
      },
      target: (target) => ({
        ...target,
        tenants: target.tenants.map((tenant) => ({
          ...tenant,
          keys: tenant.keys.map((key) => (key.use === 'limits' ? key : { ...key, rateLimit: raised })),
        })),
      }),
    },
  ],
  // The specification says how many requests a second has, and not how they are shared out within it.
  'refill-in-ticks': { options: limitedBy((limit) => bucket(limit, 100)) },
  'refill-every-500-ms': { options: limitedBy((limit) => bucket(limit, 500)) },
  'refill-every-1000-ms': { options: limitedBy((limit) => bucket(limit, 1000)) },
  // The specification does not say whether refused requests take tokens.
  'rejected-requests-consume': odd(consuming(0)),
  'rejected-requests-go-into-debt': odd(consuming(1), 'burst'),
  'retry-after-3': { options: () => ({ profile: { limits: { retryAfter: 3 } } }) },
  'ten-million-bytes': { options: () => ({ bodyLimit: 10_000_000 }) },
});
