import type { ApiRequest } from '../../../mock/index.ts';
import type { RateLimit } from '../../../mock/keys/bucket.ts';
import { replyWith, withJson } from '../../../mock/proof/tampering/json-value.ts';
import { type Answered, type Asked, as, instead, onReply, type Scene } from '../../../mock/proof/tampering/tamper.ts';
import type { Scope } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { doneAnyway, labelWriteOf } from '../tampering/label-write.ts';
import { bucket, fixedWindow, type Limiting, limiter, tooManyRequests } from '../tampering/limiters.ts';
import { usable } from '../tampering/predicates.ts';
import {
  chain,
  failing,
  inReply,
  onReplyTo,
  servedAs,
  type When,
  withHeaders,
  withStatus,
  withText,
} from '../tampering/when.ts';

/** Gives every key of the mock another kind of limiter, except keys with a very high limit. */
const limitedBy = (make: (limit: RateLimit) => Limiting) => (reached: () => void) => ({
  createLimiter: (first: RateLimit) => limiter(first, (limit) => beside(make(limit), bucket(limit), reached)),
});

/** Decides like one limiter, and strikes where the other would have decided otherwise. */
function beside(wrong: Limiting, right: Limiting, reached: () => void): Limiting {
  return {
    take(now) {
      const wait = wrong.take(now);
      if (wait > 0 !== right.take(now) > 0) reached();
      return wait;
    },
  };
}

const limited = (id: string, breaks: RuleId, does: string, make: (limit: RateLimit) => Limiting): Defect => ({
  id: `limiter/${id}`,
  breaks,
  does,
  options: limitedBy(make),
});

const rate = (id: string, perSecond: number, burst: number, breaks: RuleId, does: string) =>
  limited(id, breaks, does, (limit) => bucket(limit.perSecond === 10 ? { perSecond, burst } : limit));

/** Changes some 429s. */
const throttled = (change: Parameters<typeof onReplyTo>[1]) => onReplyTo({ status: 429 }, change);

const withRetryAfter = (value: string) => withHeaders({ status: 429 }, { 'retry-after': value });

const withoutRetryAfter = ({ reply }: Answered): Answered['reply'] => {
  const { 'retry-after': _, ...headers } = reply.headers;
  return { ...reply, headers };
};

/** Serves throttled requests after all. */
const unlimited = (when: When) =>
  onReplyTo({ ...when, status: 429 }, ({ ask, request, mock, key }) =>
    ask(as(mock, request, key?.tenant ?? '', key?.scopes)),
  );

/** A target file with a limiter key that may also do this. */
const alsoMay =
  (scope: Scope): Defect['target'] =>
  ({ tenants, ...target }) => ({
    ...target,
    tenants: tenants.map((tenant) => ({
      ...tenant,
      keys: tenant.keys.map((key) => (key.use === 'limits' ? { ...key, scopes: [...key.scopes, scope] } : key)),
    })),
  });

/** Executes throttled writes of public labels. */
const doneWhenThrottled = (does?: 'apply' | 'remove') =>
  doneAnyway({
    status: 429,
    where: (answered) => {
      const write = labelWriteOf(answered);
      return write?.label?.visibility === 'public' && (does === undefined || write.does === does);
    },
  });

/** One bucket for all requests with the same name, beside those of the keys. */
const shared = (nameOf: (asked: Asked) => string | undefined) => (scene: Scene) => {
  const buckets = new Map<string, Limiting>();
  return instead((asked) => {
    const name = usable(asked) ? nameOf(asked) : undefined;
    if (name === undefined) return undefined;
    const common = buckets.get(name) ?? bucket({ perSecond: 10, burst: 20 });
    buckets.set(name, common);
    const wait = common.take(asked.mock.clock.now());
    return wait === 0 ? undefined : tooManyRequests(wait);
  })(scene);
};

export const limiting: readonly Defect[] = [
  rate('8-per-second', 8, 20, 'limiter/steady-rate', 'sustains 8 requests per second'),
  rate('11-per-second', 11, 20, 'limiter/steady-rate', 'sustains 11 requests per second'),
  rate('burst-18', 10, 18, 'limiter/burst', 'admits a burst of 18'),
  rate('burst-40', 10, 40, 'limiter/burst', 'admits a burst of 40'),
  limited('none', 'limiter/over-the-rate-is-429', 'throttles nobody', () => ({ take: () => 0 })),
  ...breaking('limiter/over-the-rate-is-429', {
    'limiter/none-for-the-second-tenant': ['throttles no key of the second tenant', unlimited({ tenant: 'globex' })],
    'limiter/none-for-one-key': ['throttles every key but one', unlimited({ key: 'only-site-read' })],
    'limiter/none-for-keys-with-all-scopes': ['throttles no key with every scope', unlimited({ key: 'full' })],
    'limiter/one-in-five-is-503': [
      'answers 503 to every fifth request over the rate',
      (scene) => {
        let turn = 0;
        return withStatus({ status: 429, where: () => turn++ % 5 === 0 }, 503)(scene);
      },
    ],
    'limiter/removals-are-503': [
      'answers 503 to label removals over the rate',
      withStatus({ status: 429, method: 'DELETE' }, 503),
    ],
    'limiter/answers-503': ['answers 503 over the rate', withStatus({ status: 429 }, 503)],
    'limiter/answers-403': ['answers 403 over the rate', failing({ status: 429 }, 403)],
    'limiter/answers-200-empty': ['answers an empty 200 over the rate', throttled(() => replyWith(200, {}))],
  }),
  limited('fixed-seconds-of-30', 'limiter/steady-rate', 'admits 30 in each second of the clock', () => fixedWindow(30)),
  limited('fixed-seconds-of-20', 'limiter/steady-rate', 'admits 20 in each second of the clock', () => fixedWindow(20)),
  limited(
    'fixed-two-seconds',
    'limiter/clustering-gains-nothing',
    'admits 20 in each two seconds of the clock, so that 40 pass around its edge',
    () => fixedWindow(20, 2000),
  ),
  limited('fixed-ten-seconds', 'limiter/burst', 'admits 100 in each ten seconds of the clock', () =>
    fixedWindow(100, 10_000),
  ),
  ...breaking('limiter/own-bucket-per-key', {
    'limiter/shared-by-tenant': ['has one bucket for all keys of a tenant', shared(({ key }) => key?.tenant)],
    'limiter/shared-by-all': ['has one bucket for all keys there are', shared(() => 'all')],
    'limiter/shared-by-keys-of-a-name': [
      'has one bucket for the keys of both tenants with the same name',
      shared(({ key }) => key?.name),
    ],
    'limiter/shared-by-two-tenants': [
      'has one bucket for the key for the measurement and a key of the other tenant',
      shared(({ key }) => (key?.name === 'limits' || key?.name === 'reader' ? 'both' : undefined)),
    ],
    'limiter/shared-by-similar-keys': [
      'has one bucket for all keys whose names have the same first six letters',
      shared(({ key }) => key?.name.slice(0, 6)),
    ],
    'limiter/neighbours-are-punished': [
      'throttles every key of a tenant for half a second where one of them is over its rate',
      (scene) => {
        const punished = new Map<string, { readonly by: string; readonly until: number }>();
        return onReply(({ key, mock, reply, id }) => {
          if (key === undefined || id === 'storage') return undefined;
          const now = mock.clock.now();
          const punishment = punished.get(key.tenant);
          if (reply.status === 429) punished.set(key.tenant, { by: key.id, until: now + 500 });
          const isPunished = punishment !== undefined && punishment.by !== key.id && now < punishment.until;
          return isPunished && reply.status !== 429 ? tooManyRequests(1_000) : undefined;
        })(scene);
      },
    ],
    'limiter/one-key-pays-for-others': [
      "counts the requests of a tenant's other keys against one of them as well",
      (scene) => {
        const payer = bucket({ perSecond: 10, burst: 20 });
        return instead(({ key, mock, id }) => {
          if (key?.tenant !== 'acme' || key.revoked || id === 'storage') return undefined;
          const wait = payer.take(mock.clock.now());
          return key.name === 'limits' && wait > 0 ? tooManyRequests(wait) : undefined;
        })(scene);
      },
    ],
  }),
  limited(
    'two-buckets-for-one-key',
    'limiter/steady-rate',
    'has two gateways, each with a bucket of its own for every key',
    (limit) => {
      const gateways = [bucket(limit), bucket(limit)];
      let turn = 0;
      return { take: (now) => gateways[turn++ % 2]?.take(now) ?? 0 };
    },
  ),
  ...breaking('limiter/burst', {
    'limiter/bucket-for-each-client': [
      'has a bucket for each User-Agent that shows a key',
      chain(
        unlimited({ key: 'limits' }),
        shared(({ key, id, request }) =>
          key?.name === 'limits' && id !== 'storage' ? request.headers['user-agent'] : undefined,
        ),
      ),
    ],
  }),
  ...breaking('limiter/steady-rate', {
    'limiter/none-for-uploads': ['throttles no start of an upload', unlimited({ id: 'startSiteFileUpload' })],
    'limiter/none-for-links': ['throttles no removal from a link', unlimited({ id: 'removeClientSiteLabel' })],
    'limiter/uploads-have-a-bucket-of-their-own': [
      'has a second bucket of each key for the starts of uploads',
      chain(
        unlimited({ id: 'startSiteFileUpload' }),
        shared(({ key, id }) => (id === 'startSiteFileUpload' ? key?.id : undefined)),
      ),
    ],
  }),
  limited(
    'burst-halved-after-the-first',
    'limiter/burst',
    'admits a burst of 20 once, and of 10 after the key was throttled',
    (limit) => {
      let one = bucket(limit);
      let isFirst = true;
      return {
        take(now) {
          const wait = one.take(now);
          if (wait > 0 && isFirst) {
            isFirst = false;
            one = bucket({ ...limit, burst: limit.burst / 2 });
            for (let i = 0; i < limit.burst / 2; i++) one.take(now);
          }
          return wait;
        },
      };
    },
  ),
  ...(
    [
      ['three', 3, 'limiter/waiting-retry-after-suffices'],
      ['one-and-a-half', 1.5, 'limiter/steady-rate'],
      ['ten', 10, 'limiter/waiting-retry-after-suffices'],
    ] as const
  ).map(([words, seconds, breaks]) =>
    limited(
      `penalty-of-${words}-seconds`,
      breaks,
      `throttles a key for ${seconds} seconds after a 429 that says Retry-After: 1, however long it has rested before`,
      (limit) => {
        const one = bucket(limit);
        let until = 0;
        return {
          take(now) {
            if (now < until) return 100;
            const wait = one.take(now);
            if (wait > 0) until = now + seconds * 1_000;
            return wait;
          },
        };
      },
    ),
  ),
  limited('quota-of-250', 'limiter/steady-rate', 'admits 250 requests of a key, and no more that day', (limit) => {
    const one = bucket(limit);
    let count = 0;
    return { take: (now) => (++count > 250 && limit.perSecond === 10 ? 3_600_000 : one.take(now)) };
  }),
  limited(
    'full-after-a-short-pause',
    'limiter/burst',
    'fills the bucket of a key that has sent nothing for 300 ms',
    (limit) => {
      let one = bucket(limit);
      let last = 0;
      return {
        take(now) {
          if (now - last > 300) one = bucket(limit);
          last = now;
          return one.take(now);
        },
      };
    },
  ),
  limited(
    'free-after-a-pause',
    'limiter/clustering-gains-nothing',
    'admits everything for a second after a key was not used for five',
    (limit) => {
      const usual = bucket(limit);
      let last = Number.POSITIVE_INFINITY;
      let freeUntil = 0;
      return {
        take(now) {
          if (now - last > 5_000) freeUntil = now + 1_000;
          last = now;
          const wait = usual.take(now);
          return now < freeUntil ? 0 : wait;
        },
      };
    },
  ),
  {
    id: 'limiter/starts-not-counted',
    breaks: 'limiter/burst',
    does: 'does not count the starts of uploads',
    target: alsoMay('siteFile:write'),
    around: servedAs('its own', { id: 'startSiteFileUpload', key: 'limits' }),
  },
  ...breaking('limiter/429-has-retry-after', {
    'limiter/no-retry-after': ['answers 429 without Retry-After', throttled(withoutRetryAfter)],
    'limiter/retry-after-is-a-date': [
      'answers Retry-After as a date',
      throttled(({ reply, mock }) => ({
        ...reply,
        headers: { ...reply.headers, 'retry-after': new Date(mock.clock.now() + 1000).toUTCString() },
      })),
    ],
    'limiter/retry-after-only-first': [
      'answers Retry-After with the first 429 of a key alone',
      (scene) => {
        const told = new Set<string | undefined>();
        return throttled((answered) => {
          if (told.has(answered.key?.id)) return withoutRetryAfter(answered);
          told.add(answered.key?.id);
          return undefined;
        })(scene);
      },
    ],
  }),
  ...breaking('limiter/waiting-retry-after-suffices', {
    'limiter/retry-after-in-milliseconds': ['says Retry-After: 1000 and means milliseconds', withRetryAfter('1000')],
    'limiter/retry-after-zero': ['says Retry-After: 0, after which it throttles again', withRetryAfter('0')],
    'limiter/retry-after-lies': [
      'says Retry-After: 1, and throttles whoever comes back within three seconds',
      (scene) => {
        const until = new Map<string, number>();
        return onReply(({ key, mock, reply, id }) => {
          const now = mock.clock.now();
          if (key === undefined || id === 'storage') return undefined;
          if (reply.status !== 429 && now >= (until.get(key.id) ?? 0)) return undefined;
          until.set(key.id, now + 3000);
          return tooManyRequests(1_000);
        })(scene);
      },
    ],
  }),
  ...breaking('limiter/429-body-is-one-message', {
    'limiter/error-body': [
      'answers 429 with the error body',
      throttled(({ reply }) => withJson(reply, { error: { code: 'TOO_MANY_REQUESTS', message: 'Too Many Requests' } })),
    ],
    'limiter/body-with-a-second-field': [
      'answers 429 with a requestId beside the message',
      inReply({ status: 429 }, () => ({ requestId: 'r-1' })),
    ],
    'limiter/body-is-text': ['answers 429 with a text', withText({ status: 429 }, () => 'slow down', 'text/plain')],
    'limiter/message-is-an-object': [
      'answers 429 with an object as message',
      inReply({ status: 429 }, ({ message }) => ({ message: { text: String(message) } })),
    ],
  }),
  ...breaking('limiter/429-comes-before-the-handler', {
    'limiter/carried-out-all-the-same': [
      'answers 429 as it should, and applies the label all the same',
      doneWhenThrottled(),
    ],
  }),
  {
    id: 'limiter/carried-out-later',
    // A reply in between shows that the throttled write had no effect at first, so the label comes from nowhere.
    breaks: 'labels/membership-is-a-set',
    does: 'answers 429 to every apply and carries it out 0.8 seconds later',
    around: (scene) => {
      const due: { readonly at: number; readonly request: ApiRequest; readonly tenant: string }[] = [];
      return chain(
        onReplyTo({ status: 429, method: 'PUT' }, ({ request, reply, mock, key, id }) => {
          if (id === 'storage' || key === undefined) return undefined;
          due.push({ at: mock.clock.now() + 800, request, tenant: key.tenant });
          return { ...reply, headers: { ...reply.headers, 'x-later': '1' } };
        }),
        instead(async ({ mock, ask }) => {
          for (let first = due[0]; first !== undefined && first.at <= mock.clock.now(); first = due[0]) {
            due.shift();
            await ask(as(mock, first.request, first.tenant));
          }
          return undefined;
        }),
      )(scene);
    },
  },
  {
    id: 'limiter/registers-all-the-same',
    breaks: 'limiter/429-comes-before-the-handler',
    does: 'answers 429 to a registration, and registers the file all the same',
    target: alsoMay('siteFile:write'),
    around: onReply(async ({ key, id, reply, request, ask, mock }) => {
      if (key?.name !== 'limits' || (id !== 'registerSiteFile' && id !== 'startSiteFileUpload')) return undefined;
      if (reply.status !== 429) return ask(as(mock, request, key.tenant));
      if (id === 'registerSiteFile') await ask(as(mock, request, key.tenant));
      return { ...reply, headers: { ...reply.headers, 'x-done': '1' } };
    }),
  },
  ...(['apply', 'remove'] as const).flatMap((act): Defect[] => {
    const carriedOut = (id: string, where: string): Defect => ({
      id: `limiter/carried-out-${id}${act}`,
      breaks: 'limiter/429-comes-before-the-handler',
      does: `answers 429 to every ${act} and carries it out${where}`,
      around: doneWhenThrottled(act),
    });
    return [
      carriedOut('every-', ''),
      {
        ...carriedOut('with-one-spare-label-', ', where the tenant has one spare label'),
        target: ({ tenants, ...target }) => ({
          ...target,
          tenants: tenants.map(({ spareLabels: _, ...tenant }) => tenant),
        }),
      },
    ];
  }),
  {
    id: 'limiter/last-use-forgotten',
    breaks: 'keys/revocation-is-immediate-and-listed',
    does: 'does not note when a key was last used, which the portal alone shows',
    survives: true,
    around:
      ({ handle, mock, reached }) =>
      async (request, trace) => {
        const reply = await handle(request, trace);
        const key = mock.keys.recognise(request.headers['x-api-key'] ?? '');
        if (key === undefined || key.lastUsedAt === null) return reply;
        key.lastUsedAt = null;
        reached();
        return reply;
      },
  },
];
