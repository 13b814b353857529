import type { RateLimit } from '../../../mock/keys/bucket.ts';
import { errorWith } from '../../../mock/proof/tampering/json-value.ts';
import { type Asked, as, instead } from '../../../mock/proof/tampering/tamper.ts';
import { operations } from '../../../spec/operations.ts';
import { seededRandom } from '../../../spec/random.ts';
import { labelWriteOf } from '../tampering/label-write.ts';
import { bucket, gcra, type Limiting, limitedBy, tooManyRequests } from '../tampering/limiters.ts';
import { usable } from '../tampering/predicates.ts';
import { heldBack, slowServer } from '../tampering/waiting.ts';
import { refusing } from '../tampering/when.ts';
import { type LegalVariant, legal } from './legal-variant.ts';

/** A bucket from which rejected requests take tokens as well. @param debt maximal debt, in bursts; @param cost in tokens */
const consuming =
  (debt: number, cost = 1) =>
  ({ perSecond, burst }: RateLimit): Limiting => {
    let tokens = burst;
    let at: number | null = null;
    return {
      take(now) {
        if (at !== null) tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond);
        at = now;
        const wait = tokens >= 1 - 1e-6 ? 0 : ((1 - tokens) / perSecond) * 1000;
        tokens = wait === 0 ? tokens - 1 : Math.max(-debt * burst, tokens - cost);
        return wait;
      },
    };
  };

/** The generic cell rate algorithm, in which refused requests cost as well. @param cost in requests @param debt maximal debt, in milliseconds */
const consumingGcra =
  (cost: number, debt: number) =>
  ({ perSecond, burst }: RateLimit): Limiting => {
    const interval = 1000 / perSecond;
    const tolerance = burst * interval;
    let due = Number.NEGATIVE_INFINITY;
    return {
      take(now) {
        due = Math.max(due, now);
        const wait = Math.max(0, due - now - tolerance - 1e-6);
        due = wait === 0 ? due + interval : Math.max(due, Math.min(due + cost * interval, now + tolerance + debt));
        return wait;
      },
    };
  };

/** Another client that sends requests at about regular intervals with the reserved key. */
export const shared =
  (requests: number, milliseconds: number, name = 'limits'): NonNullable<LegalVariant['around']> =>
  (scene) => {
    const random = seededRandom(requests * milliseconds);
    const common = bucket({ perSecond: 10, burst: 20 });
    let next = 0;
    return instead(({ key, mock, id }) => {
      if (key?.name !== name || key.tenant !== 'acme' || key.revoked || id === 'storage') return undefined;
      const now = mock.clock.now();
      next ||= now;
      for (; next <= now; next += milliseconds * (0.5 + random())) for (let i = 0; i < requests; i++) common.take(next);
      const wait = common.take(now);
      return wait === 0 ? undefined : tooManyRequests(wait);
    })(scene);
  };

/** Whether the request would write something. Anything else can be asked twice. */
const wouldWrite = (asked: Asked): boolean =>
  asked.id === 'registerSiteFile' ||
  (labelWriteOf(asked)?.label?.visibility === 'public' &&
    operations[asked.id as keyof typeof operations].scopes.every((scope) => asked.key?.scopes.has(scope)));

/** A limiter behind the checks: what is refused with one of these statuses is not counted, and never throttled. */
const behindTheChecks = (...statuses: readonly number[]) => ({
  [`${statuses.join('-')}-is-not-counted`]: instead(async (asked) => {
    if (!usable(asked) || asked.id === 'storage' || wouldWrite(asked)) return undefined;
    const { key, mock, request, ask } = asked;
    const reply = await ask(as(mock, request, key?.tenant ?? '', key?.scopes));
    return statuses.includes(reply.status) ? reply : undefined;
  }),
});

const raised = { perSecond: 1_000, burst: 2_000 };

const inBursts = (more: (limit: RateLimit) => number, kind: (limit: RateLimit) => Limiting) => ({
  options: limitedBy((limit) => kind({ ...limit, burst: limit.burst + more(limit) })),
});

/** Options of a deployment whose buckets do not measure as declared. */
const odd = (make: (limit: RateLimit) => Limiting, ...more: readonly ('burst' | 'waiting-retry-after-suffices')[]) => ({
  options: limitedBy(make),
  unjudged: ['limiter/steady-rate' as const, ...more.map((rule) => `limiter/${rule}` as const)],
});

const usedByOthers = (requests: number, milliseconds: number) => ({
  [`limits-key-used-by-others-${requests}-every-${milliseconds}-ms`]: {
    around: shared(requests, milliseconds),
    unjudged: [
      'limiter/steady-rate',
      'limiter/burst',
      'limiter/waiting-retry-after-suffices',
      'limiter/own-bucket-per-key',
    ] as const,
  },
});

const restarting = (from: number) => ({
  [`restarts-after-${from}-s`]: ({ mock: { clock }, handle }: Parameters<ReturnType<typeof shared>>[0]) => {
    const since = clock.now() + from * 1_000;
    const isUp = () => clock.now() < since || clock.now() > since + 3_000;
    return async (...[request, trace]: Parameters<typeof handle>) =>
      isUp() || !request.url.startsWith('/v1') ? handle(request, trace) : errorWith(503, 'RESTARTING');
  },
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
  'rejected-requests-go-into-endless-debt': odd(
    consuming(Number.POSITIVE_INFINITY),
    'burst',
    'waiting-retry-after-suffices',
  ),
  'rejected-requests-cost-in-gcra': odd(consumingGcra(5, 1000), 'burst'),
  'rejected-requests-cost-half': odd(consuming(0, 0.5), 'burst', 'waiting-retry-after-suffices'),
  ...usedByOthers(1, 333),
  ...usedByOthers(1, 1000),
  ...usedByOthers(4, 2000),
  ...usedByOthers(6, 700),
  'only-site-file-write-key-used-by-others': { around: shared(4, 700, 'only-site-file-write'), unjudged: 'any' },
  'full-key-used-by-others': { around: shared(4, 700, 'full'), unjudged: 'any' },
  ...behindTheChecks(400),
  ...behindTheChecks(403),
  ...behindTheChecks(404),
  ...behindTheChecks(400, 403, 404, 405, 409, 413, 415, 422),
  // The specification does not say how soon a request within the limit is answered.
  'burst-held-back': [
    'serves the requests of a burst one after the other at the rate, and throttles what comes on top at once',
    { ...odd(gcra, 'burst'), around: heldBack(() => 0) },
  ],
  'slow-server': [
    'serves 11 requests per second in all, and lets the limiter of a key decide when a request is served',
    { options: limitedBy(() => ({ take: () => 0 })), around: slowServer(11), unjudged: 'any' },
  ],
  ...restarting(20),
  ...restarting(30),
  'busy-at-times': [
    'answers one request in fifty 503, whatever it is and however soon it comes',
    (scene) => {
      const random = seededRandom(9);
      return refusing({ where: ({ id }) => id !== 'storage' && random() < 0.02 }, 503)(scene);
    },
  ],
  'retry-after-3': { options: () => ({ profile: { limits: { retryAfter: 3 } } }) },
  'ten-million-bytes': { options: () => ({ bodyLimit: 10_000_000 }) },
});
