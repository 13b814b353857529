import type { RateLimit } from '../../../mock/keys/bucket.ts';
import { errorWith } from '../../../mock/proof/tampering/json-value.ts';
import { type Asked, as, instead } from '../../../mock/proof/tampering/tamper.ts';
import { operations } from '../../../spec/operations.ts';
import { seededRandom } from '../../../spec/random.ts';
import { TransportError } from '../../client/http.ts';
import { labelWriteOf } from '../tampering/label-write.ts';
import { bucket, gcra, type Limiting, limitedBy, tooManyRequests } from '../tampering/limiters.ts';
import { usable } from '../tampering/predicates.ts';
import { heldBack, slowServer } from '../tampering/waiting.ts';
import { refusing } from '../tampering/when.ts';
import type { LegalVariant } from './legal-variant.ts';

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
const shared =
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

/** A limiter behind the checks. The specification does not say whether refused requests count, so requests that are refused with one of these statuses are not counted, and never throttled. */
const behindTheChecks = (...statuses: readonly number[]): Pick<LegalVariant, 'id' | 'does' | 'around'> => ({
  id: `${statuses.join('-')}-is-not-counted`,
  does: `refuses with ${statuses.join(', ')} before it counts a request, so that such requests are never throttled`,
  around: instead(async (asked) => {
    if (!usable(asked) || asked.id === 'storage' || wouldWrite(asked)) return undefined;
    const { key, mock, request, ask } = asked;
    const reply = await ask(as(mock, request, key?.tenant ?? '', key?.scopes));
    return statuses.includes(reply.status) ? reply : undefined;
  }),
});

const raised = { perSecond: 1_000, burst: 2_000 };

const retryAfter = (seconds: number) => () => ({ profile: { limits: { retryAfter: seconds } } });

/** Honest readings of "burst 20 on top of 10 per second". */
export const limits: readonly LegalVariant[] = [
  { id: 'gcra-20', does: 'limits by GCRA that tolerates 20', options: limitedBy(gcra) },
  {
    id: 'gcra-30',
    does: 'limits by GCRA that tolerates 30',
    options: limitedBy(({ perSecond, burst }) => gcra({ perSecond, burst: burst + perSecond })),
  },
  {
    id: 'bucket-30',
    does: 'has a bucket that holds 30',
    options: limitedBy(({ perSecond, burst }) => bucket({ perSecond, burst: burst + perSecond })),
  },
  {
    id: 'bucket-25',
    does: 'has a bucket that holds 25',
    options: limitedBy(({ perSecond, burst }) => bucket({ perSecond, burst: burst + 5 })),
  },
  {
    id: 'limits-raised',
    does: 'lets every key but the reserved one send a hundred times as much, as the target file says',
    around: ({ handle, mock }) => {
      for (const tenant of ['acme', 'globex'])
        for (const { id, name, revoked } of mock.keysOf(tenant))
          if (name !== 'limits' && !revoked) mock.editKey(id, { rateLimit: raised });
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
  { id: 'refill-in-ticks', does: 'refills its bucket every 100 ms', options: limitedBy((limit) => bucket(limit, 100)) },
  // The specification says how many requests a second has, and not how they are shared out within it.
  ...([500, 1000] as const).map(
    (tick): LegalVariant => ({
      id: `refill-every-${tick}-ms`,
      does: `refills its bucket every ${tick} ms of the clock`,
      options: limitedBy((limit) => bucket(limit, tick)),
    }),
  ),
  {
    // The specification does not say whether refused requests take tokens. Before that decision this was the defect `limiter/rejected-consume`.
    id: 'rejected-requests-consume',
    does: 'lets throttled requests take from the bucket, so that a key under overload gets nothing',
    options: limitedBy(consuming(0)),
    unjudged: ['limiter/steady-rate'],
  },
  {
    id: 'rejected-requests-go-into-debt',
    does: 'lets throttled requests take from the bucket, down to a whole burst of debt',
    options: limitedBy(consuming(1)),
    unjudged: ['limiter/steady-rate', 'limiter/burst'],
  },
  {
    id: 'rejected-requests-go-into-endless-debt',
    does: 'lets throttled requests take from the bucket without a bound, so that a key is shut for longer the more it sends',
    options: limitedBy(consuming(Number.POSITIVE_INFINITY)),
    unjudged: ['limiter/steady-rate', 'limiter/burst', 'limiter/waiting-retry-after-suffices'],
  },
  {
    id: 'rejected-requests-cost-in-gcra',
    does: 'limits by GCRA, in which a throttled request costs as much as five others, up to a second of debt',
    options: limitedBy(consumingGcra(5, 1000)),
    unjudged: ['limiter/steady-rate', 'limiter/burst'],
  },
  {
    id: 'rejected-requests-cost-half',
    does: 'lets throttled requests take half a token',
    options: limitedBy(consuming(0, 0.5)),
    unjudged: ['limiter/steady-rate', 'limiter/burst', 'limiter/waiting-retry-after-suffices'],
  },
  ...(
    [
      [1, 333],
      [1, 1000],
      [4, 2000],
      [6, 700],
    ] as const
  ).map(
    ([requests, milliseconds]): LegalVariant => ({
      id: `limits-key-used-by-others-${requests}-every-${milliseconds}-ms`,
      does: `has a colleague who sends ${requests} requests every ${milliseconds} ms with the key that is kept for the limiter`,
      around: shared(requests, milliseconds),
      unjudged: [
        'limiter/steady-rate',
        'limiter/burst',
        'limiter/waiting-retry-after-suffices',
        'limiter/own-bucket-per-key',
      ],
    }),
  ),
  ...['only-site-file-write', 'full'].map(
    (name): LegalVariant => ({
      id: `${name}-key-used-by-others`,
      does: `has a colleague who sends four requests every 700 ms with the key ${name}`,
      around: shared(4, 700, name),
      unjudged: 'any',
    }),
  ),
  ...[[400], [403], [404], [400, 403, 404, 405, 409, 413, 415, 422]].map((statuses) => behindTheChecks(...statuses)),
  {
    // The specification does not say how soon a request within the limit is answered.
    id: 'burst-held-back',
    does: 'serves the requests of a burst one after the other at the rate, and throttles what comes on top at once',
    options: limitedBy(gcra),
    around: heldBack(() => 0),
    unjudged: ['limiter/steady-rate', 'limiter/burst'],
  },
  {
    id: 'slow-server',
    does: 'serves 11 requests per second in all, and lets the limiter of a key decide when a request is served',
    options: limitedBy(() => ({ take: () => 0 })),
    around: slowServer(11),
    unjudged: 'any',
  },
  ...[20, 30].map(
    (from): LegalVariant => ({
      id: `restarts-after-${from}-s`,
      does: `answers every request 503 for three seconds, ${from} seconds after it was started`,
      around: ({ mock: { clock }, handle }) => {
        const since = clock.now() + from * 1_000;
        const isUp = () => clock.now() < since || clock.now() > since + 3_000;
        return async (request, trace) =>
          isUp() || !request.url.startsWith('/v1') ? handle(request, trace) : errorWith(503, 'RESTARTING');
      },
    }),
  ),
  ...(['refused', 'reset', 'timeout'] as const).map(
    (problem): LegalVariant => ({
      id: `restarts-with-${problem}`,
      does: `gives no reply (${problem}) for 2.5 seconds, 12 seconds after it was started`,
      around: ({ mock: { clock }, handle }) => {
        const since = clock.now() + 12_000;
        const isUp = () => clock.now() < since || clock.now() > since + 2_500;
        return async (request, trace) => {
          if (isUp() || !request.url.startsWith('/v1')) return handle(request, trace);
          throw new TransportError(problem, `no reply: ${problem}`);
        };
      },
    }),
  ),
  {
    id: 'busy-at-times',
    does: 'answers one request in fifty 503, whatever it is and however soon it comes',
    around: (scene) => {
      const random = seededRandom(9);
      return refusing({ where: ({ id }) => id !== 'storage' && random() < 0.02 }, 503)(scene);
    },
  },
  { id: 'retry-after-3', does: 'always says Retry-After: 3', options: retryAfter(3) },
  { id: 'ten-million-bytes', does: 'takes 10 MB for 10,000,000 bytes', options: () => ({ bodyLimit: 10_000_000 }) },
];
