import type { RateLimit } from '../../../mock/keys/bucket.ts';
import { errorWith, objectOf, replyWith, withJson, withProperties } from '../../../mock/proof/tampering/json-value.ts';
import { type Answered, as, instead, onReply, type Scene } from '../../../mock/proof/tampering/tamper.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { carryOut, labelWriteOf } from '../tampering/label-write.ts';
import { bucket, fixedWindow, type Limiting, limiter } from '../tampering/limiters.ts';

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

const rate = (id: string, perSecond: number, burst: number, breaks: RuleId, does: string): Defect => ({
  id: `limiter/${id}`,
  breaks,
  does,
  options: limitedBy((limit) => bucket(limit.perSecond === 10 ? { perSecond, burst } : limit)),
});

const throttled = (change: (answered: Answered) => Answered['reply'] | undefined) =>
  onReply((answered) => (answered.reply.status === 429 ? change(answered) : undefined));

const withHeaders = (reply: Answered['reply'], retryAfter: string | undefined): Answered['reply'] => {
  const { 'retry-after': _, ...headers } = reply.headers;
  return { ...reply, headers: retryAfter === undefined ? headers : { ...headers, 'retry-after': retryAfter } };
};

/** One bucket for all keys that are mapped to the same name. */
const shared = (nameOf: (tenant: string, key: string) => string) => (scene: Scene) => {
  const buckets = new Map<string, Limiting>();
  return instead(({ key, mock }) => {
    if (key === undefined || key.revoked) return undefined;
    const name = nameOf(key.tenant, key.name);
    const common = buckets.get(name) ?? bucket({ perSecond: 10, burst: 20 });
    buckets.set(name, common);
    const wait = common.take(mock.clock.now());
    if (wait === 0) return undefined;
    const reply = replyWith(429, { message: 'Too Many Requests' });
    return { ...reply, headers: { ...reply.headers, 'retry-after': String(Math.max(1, Math.ceil(wait / 1000))) } };
  })(scene);
};

export const limiting: readonly Defect[] = [
  rate('8-per-second', 8, 20, 'limiter/steady-rate', 'sustains 8 requests per second'),
  rate('5-per-second', 5, 20, 'limiter/steady-rate', 'sustains 5 requests per second'),
  rate('11-per-second', 11, 20, 'limiter/steady-rate', 'sustains 11 requests per second'),
  rate('12-per-second', 12, 20, 'limiter/steady-rate', 'sustains 12 requests per second'),
  rate('15-per-second', 15, 20, 'limiter/steady-rate', 'sustains 15 requests per second'),
  rate('20-per-second', 20, 20, 'limiter/steady-rate', 'sustains 20 requests per second'),
  rate('burst-1', 10, 1, 'limiter/burst', 'admits one request at once'),
  rate('burst-10', 10, 10, 'limiter/burst', 'admits a burst of 10'),
  rate('burst-15', 10, 15, 'limiter/burst', 'admits a burst of 15'),
  rate('burst-18', 10, 18, 'limiter/burst', 'admits a burst of 18'),
  rate('burst-40', 10, 40, 'limiter/burst', 'admits a burst of 40'),
  rate('burst-60', 10, 60, 'limiter/burst', 'admits a burst of 60'),
  {
    id: 'limiter/none',
    breaks: 'limiter/over-the-rate-is-429',
    does: 'throttles nobody',
    options: limitedBy(() => ({ take: () => 0 })),
  },
  ...breaking('limiter/over-the-rate-is-429', {
    'limiter/none-for-the-second-tenant': [
      'throttles no key of the second tenant',
      instead(({ key, request, mock, ask, id }) =>
        key?.tenant === 'globex' && !key.revoked && id !== 'storage'
          ? ask(as(mock, request, 'globex', key.scopes))
          : undefined,
      ),
    ],
    'limiter/one-in-five-is-503': [
      'answers 503 to every fifth request over the rate',
      (scene) => {
        let turn = 0;
        return throttled(({ reply }) => (turn++ % 5 === 0 ? { ...reply, status: 503 } : undefined))(scene);
      },
    ],
    'limiter/answers-503': ['answers 503 over the rate', throttled(({ reply }) => ({ ...reply, status: 503 }))],
    'limiter/answers-403': ['answers 403 over the rate', throttled(() => errorWith(403, 'RATE_LIMITED'))],
    'limiter/answers-200-empty': ['answers an empty 200 over the rate', throttled(() => replyWith(200, {}))],
  }),
  {
    id: 'limiter/fixed-seconds-of-30',
    breaks: 'limiter/steady-rate',
    does: 'admits 30 in each second of the clock',
    options: limitedBy(() => fixedWindow(30)),
  },
  {
    id: 'limiter/fixed-seconds-of-20',
    breaks: 'limiter/steady-rate',
    does: 'admits 20 in each second of the clock',
    options: limitedBy(() => fixedWindow(20)),
  },
  {
    id: 'limiter/fixed-two-seconds',
    breaks: 'limiter/clustering-gains-nothing',
    does: 'admits 20 in each two seconds of the clock, so that 40 pass around its edge',
    options: limitedBy(() => fixedWindow(20, 2000)),
  },
  {
    id: 'limiter/fixed-ten-seconds',
    breaks: 'limiter/burst',
    does: 'admits 100 in each ten seconds of the clock',
    options: limitedBy(() => fixedWindow(100, 10_000)),
  },
  ...breaking('limiter/own-bucket-per-key', {
    'limiter/shared-by-tenant': ['has one bucket for all keys of a tenant', shared((tenant) => tenant)],
    'limiter/shared-by-all': ['has one bucket for all keys there are', shared(() => 'all')],
    'limiter/neighbours-are-punished': [
      'throttles every key of a tenant for half a second where one of them is over its rate',
      (scene) => {
        const punished = new Map<string, { readonly for: string; readonly until: number }>();
        return onReply(({ key, mock, reply, id }) => {
          if (key === undefined || id === 'storage') return undefined;
          const now = mock.clock.now();
          const known = punished.get(key.tenant);
          if (reply.status === 429) punished.set(key.tenant, { for: key.id, until: now + 500 });
          const beside = known !== undefined && known.for !== key.id && now < known.until && reply.status !== 429;
          return beside ? withHeaders(replyWith(429, { message: 'Too Many Requests' }), '1') : undefined;
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
          if (key.name !== 'limits' || wait === 0) return undefined;
          return withHeaders(replyWith(429, { message: 'Too Many Requests' }), String(Math.ceil(wait / 1000)));
        })(scene);
      },
    ],
  }),
  {
    id: 'limiter/two-buckets-for-one-key',
    breaks: 'limiter/steady-rate',
    does: 'has two gateways, each with a bucket of its own for every key',
    options: limitedBy((limit) => {
      const gateways = [bucket(limit), bucket(limit)];
      let turn = 0;
      return { take: (now) => gateways[turn++ % 2]?.take(now) ?? 0 };
    }),
  },
  ...breaking('limiter/burst', {
    'limiter/bucket-for-each-client': [
      'has a bucket for each User-Agent that shows a key',
      (scene) => {
        const buckets = new Map<string, Limiting>();
        return instead(async ({ key, request, mock, ask, id }) => {
          if (key?.name !== 'limits' || key.revoked || id === 'storage') return undefined;
          const name = request.headers['user-agent'] ?? '';
          const own = buckets.get(name) ?? bucket({ perSecond: 10, burst: 20 });
          buckets.set(name, own);
          const wait = own.take(mock.clock.now());
          if (wait === 0) return ask(as(mock, request, key.tenant, key.scopes));
          return withHeaders(replyWith(429, { message: 'Too Many Requests' }), String(Math.ceil(wait / 1000)));
        })(scene);
      },
    ],
  }),
  {
    id: 'limiter/free-after-a-pause',
    breaks: 'limiter/burst',
    does: 'admits everything for a second after a key was not used for five',
    options: limitedBy((limit) => {
      const one = bucket(limit);
      let last: number | null = null;
      let free = 0;
      return {
        take(now) {
          if (last !== null && now - last > 5_000) free = now + 1_000;
          last = now;
          const wait = one.take(now);
          return now < free ? 0 : wait;
        },
      };
    }),
  },
  {
    id: 'limiter/starts-not-counted',
    breaks: 'limiter/burst',
    does: 'does not count the starts of uploads',
    target: ({ tenants, ...target }) => ({
      ...target,
      tenants: tenants.map((tenant) => ({
        ...tenant,
        keys: tenant.keys.map((key) =>
          key.use === 'limits' ? { ...key, scopes: [...key.scopes, 'siteFile:write' as const] } : key,
        ),
      })),
    }),
    around: instead(({ key, request, mock, ask, id }) =>
      key?.name === 'limits' && id === 'startSiteFileUpload' ? ask(as(mock, request, key.tenant)) : undefined,
    ),
  },
  ...breaking('limiter/429-has-retry-after', {
    'limiter/no-retry-after': [
      'answers 429 without Retry-After',
      throttled(({ reply }) => withHeaders(reply, undefined)),
    ],
    'limiter/retry-after-is-a-date': [
      'answers Retry-After as a date',
      throttled(({ reply, mock }) => withHeaders(reply, new Date(mock.clock.now() + 1000).toUTCString())),
    ],
    'limiter/retry-after-only-first': [
      'answers Retry-After with the first 429 of a key alone',
      (scene) => {
        const told = new Set<string>();
        return throttled(({ reply, key }) => {
          if (!told.has(key?.id ?? '')) {
            told.add(key?.id ?? '');
            return undefined;
          }
          return withHeaders(reply, undefined);
        })(scene);
      },
    ],
  }),
  ...breaking('limiter/waiting-retry-after-suffices', {
    'limiter/retry-after-zero': [
      'says Retry-After: 0, after which it throttles again',
      throttled(({ reply }) => withHeaders(reply, '0')),
    ],
    'limiter/retry-after-lies': [
      'says Retry-After: 1, and throttles whoever comes back within three seconds',
      (scene) => {
        const until = new Map<string, number>();
        return onReply(({ key, mock, reply, id }) => {
          const now = mock.clock.now();
          if (key === undefined || id === 'storage') return undefined;
          if (reply.status !== 429 && now >= (until.get(key.id) ?? 0)) return undefined;
          until.set(key.id, now + 3000);
          const refused = replyWith(429, { message: 'Too Many Requests' });
          return { ...refused, headers: { ...refused.headers, 'retry-after': '1' } };
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
      throttled(({ reply }) => withProperties(reply, { requestId: 'r-1' })),
    ],
    'limiter/body-is-text': [
      'answers 429 with a text',
      throttled(({ reply }) => ({
        ...reply,
        headers: { ...reply.headers, 'content-type': 'text/plain' },
        body: 'slow down',
      })),
    ],
    'limiter/message-is-an-object': [
      'answers 429 with an object as message',
      throttled(({ reply }) => withJson(reply, { message: { text: String(objectOf(reply).message) } })),
    ],
  }),
  ...breaking('limiter/429-comes-before-the-handler', {
    'limiter/carried-out-all-the-same': [
      'answers 429 as it should, and applies the label all the same',
      throttled((answered) => {
        const write = labelWriteOf(answered);
        if (write?.label?.visibility !== 'public') return undefined;
        carryOut(write);
        return { ...answered.reply, headers: { ...answered.reply.headers, 'x-done': '1' } };
      }),
    ],
  }),
  {
    id: 'limiter/registers-all-the-same',
    breaks: 'limiter/429-comes-before-the-handler',
    does: 'answers 429 to a registration, and registers the file all the same',
    // The key for limits may upload as well.
    target: ({ tenants, ...target }) => ({
      ...target,
      tenants: tenants.map((tenant) => ({
        ...tenant,
        keys: tenant.keys.map((key) => (key.use ? { ...key, scopes: [...key.scopes, 'siteFile:write'] } : key)),
      })),
    }),
    around: onReply(async ({ key, id, reply, request, ask, mock }) => {
      if (key?.name !== 'limits' || (id !== 'registerSiteFile' && id !== 'startSiteFileUpload')) return undefined;
      if (reply.status !== 429) return ask(as(mock, request, key.tenant));
      if (id === 'registerSiteFile') await ask(as(mock, request, key.tenant));
      return { ...reply, headers: { ...reply.headers, 'x-done': '1' } };
    }),
  },
  ...(['apply', 'remove'] as const).flatMap((act): Defect[] => {
    const around = throttled((answered) => {
      const write = labelWriteOf(answered);
      if (write?.does !== act || write.label?.visibility !== 'public') return undefined;
      carryOut(write);
      return { ...answered.reply, headers: { ...answered.reply.headers, 'x-done': '1' } };
    });
    const of = (id: string, where: string): Defect => ({
      id: `limiter/carried-out-${id}${act}`,
      breaks: 'limiter/429-comes-before-the-handler',
      does: `answers 429 to every ${act} and carries it out${where}`,
      around,
    });
    return [
      of('every-', ''),
      {
        ...of('with-one-spare-label-', ', where the tenant has one spare label'),
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
