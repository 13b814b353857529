import type { ApiReply, MockOptions } from '../../mock/index.ts';
import { createBucket, type Limiter, type RateLimit } from '../../mock/keys/bucket.ts';
import { fixedWindowModel } from '../../spec/limiter/proof/models.ts';

/** A mock that keeps the contract, or breaks it in one way, which a scenario finds. */
interface Variant {
  /** Makes what differs from the mock. Each call makes a new one, because limiters have state. */
  readonly make: () => {
    readonly createLimiter?: NonNullable<MockOptions['createLimiter']>;
    readonly changeReply?: (reply: ApiReply) => ApiReply;
  };
  /** The scenarios that find it, with the seconds that suffice, and what their sentences say. */
  readonly found?: readonly { readonly by: string; readonly seconds?: number; readonly says: RegExp }[];
}

const always = (perSecond: number, burst: number) => () => ({
  createLimiter: () => createBucket({ perSecond, burst }),
});

/** Counts in windows of a second, as many simple gateways do. */
function fixedWindows(): Limiter {
  const admits = fixedWindowModel(30, 1000, 'clock').make(() => 0);
  return { take: (now) => (admits(now) ? 0 : 1000), level: () => 0, limitTo: () => {}, refill: () => {} };
}

/** Says that one second is enough, and throttles for three. */
function lying(limit: RateLimit): Limiter {
  const bucket = createBucket(limit);
  let blockedUntil = 0;
  return {
    ...bucket,
    take(now) {
      if (now < blockedUntil) return 500;
      const wait = bucket.take(now);
      if (wait > 0) blockedUntil = now + 3000;
      return wait;
    },
  };
}

function shared() {
  let only: Limiter | undefined;
  return {
    createLimiter: (limit: RateLimit) => {
      only ??= createBucket(limit);
      return only;
    },
  };
}

const on429 = (change: (reply: ApiReply) => ApiReply) => () => ({
  changeReply: (reply: ApiReply) => (reply.status === 429 ? change(reply) : reply),
});

/** Every variant of the mock, by name. */
export const variants: Readonly<Record<string, Variant>> = {
  right: { make: () => ({}) },
  'burst of 30': { make: always(10, 30) },
  '12 rps': {
    make: always(12, 20),
    found: [{ by: 'overload', seconds: 40, says: /admits 1[12]\.\d rps: too lax by (at least )?\d+%/ }],
  },
  '8 rps': {
    make: always(8, 20),
    found: [
      { by: 'overload', seconds: 25, says: /admits (at most )?8\.\d rps: too strict by (at least )?(19|20|21)%/ },
      { by: 'paced', seconds: 60, says: /too strict/ },
      { by: 'fleet', seconds: 60, says: /keys break the contract.*too strict/ },
    ],
  },
  'burst 15': {
    make: always(10, 15),
    found: [{ by: 'burst', says: /burst .*: too strict by/ }],
  },
  'burst 40': { make: always(10, 40), found: [{ by: 'burst', says: /too lax by/ }] },
  'fixed windows of 1 s': {
    make: () => ({ createLimiter: fixedWindows }),
    found: [{ by: 'overload', seconds: 25, says: /too lax by (at least )?\d+%/ }],
  },
  'shared bucket': {
    make: shared,
    found: [{ by: 'isolation', seconds: 20, says: /share one bucket.*\d+% of the requests/ }],
  },
  'lying Retry-After': {
    make: () => ({ createLimiter: lying }),
    found: [{ by: 'recover', says: /Retry-After said 1 s.*throttled again/ }],
  },
  '429 without body': {
    make: on429((reply) => ({ ...reply, body: '' })),
    found: [{ by: 'burst', says: /\d+ replies 429 have no body/ }],
  },
  '429 without Retry-After': {
    make: on429(({ headers, ...reply }) => {
      const { 'retry-after': _, 'Retry-After': __, ...others } = headers;
      return { ...reply, headers: others };
    }),
    found: [{ by: 'burst', says: /\d+ replies 429 have no Retry-After/ }],
  },
};
