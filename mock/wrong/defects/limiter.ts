import type { OperationId } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { RateLimit } from '../../keys/bucket.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { doneAnyway, type LabelWrite, labelWriteOf } from '../tampering/label-write.ts';
import { bucket, fixedWindow, type Limiting, limiter, tooManyRequests } from '../tampering/limiters.ts';
import { usable } from '../tampering/predicates.ts';
import { type Asked, as, instead, type Scene } from '../tampering/tamper.ts';
import { endConnection, failing, onReplyTo, replying, type When, withHeaders, withStatus } from '../tampering/when.ts';

type Bucket = (limit: RateLimit) => Limiting['take'];

/** Gives every key of the mock another kind of limiter. It strikes where the right one would have decided otherwise. */
const limited = (rule: RuleId, all: Readonly<Record<string, readonly [does: string, make: Bucket]>>) =>
  Object.entries(all).map(
    ([id, [does, make]]): Defect => ({
      id,
      rule,
      does,
      createLimiter: (reached) => (first) =>
        limiter(first, (limit) => {
          const [wrong, right] = [make(limit), bucket(limit)];
          return {
            take(now) {
              const wait = wrong(now);
              if (wait > 0 !== right.take(now) > 0) reached();
              return wait;
            },
          };
        }),
    }),
  );

const rate =
  (perSecond: number, burst: number): Bucket =>
  (limit) =>
    bucket(limit.perSecond === 10 ? { perSecond, burst } : limit).take;

const windowOf = (most: number, milliseconds?: number) => () => fixedWindow(most, milliseconds).take;

/** Fills the bucket of a key that has sent nothing for some milliseconds. */
const refilled =
  (idle: number): Bucket =>
  (limit) => {
    let one = bucket(limit);
    let last = Number.POSITIVE_INFINITY;
    return (now) => {
      if (now - last > idle) one = bucket(limit);
      last = now;
      return one.take(now);
    };
  };

/** Throttles a key for some seconds after a 429. @param again whether whoever comes back within them waits as long again */
const penalty =
  (seconds: number, again = false): Bucket =>
  (limit) => {
    const one = bucket(limit);
    let until = 0;
    return (now) => {
      const isPaying = now < until;
      const wait = isPaying ? 100 : one.take(now);
      if (isPaying ? again : wait > 0) until = now + seconds * 1_000;
      return wait;
    };
  };

/** Each key has a bucket of its own, but not the declared one. */
const otherBuckets: readonly Defect[] = [
  ...limited('limiter/steady-rate', {
    'limiter/8-per-second': ['sustains 8 requests per second', rate(8, 20)],
    'limiter/11-per-second': ['sustains 11 requests per second', rate(11, 20)],
    'limiter/fixed-seconds-of-30': ['admits 30 in each second of the clock', windowOf(30)],
    'limiter/fixed-seconds-of-20': ['admits 20 in each second of the clock', windowOf(20)],
    'limiter/full-after-a-second': ['fills the bucket of a key that has sent nothing for a second', refilled(1_000)],
  }),
  ...limited('limiter/burst', {
    'limiter/burst-18': ['admits a burst of 18', rate(10, 18)],
    'limiter/burst-40': ['admits a burst of 40', rate(10, 40)],
  }),
  ...limited('limiter/over-the-rate-is-429', { 'limiter/none': ['throttles nobody', () => () => 0] }),
  ...limited('limiter/waiting-retry-after-suffices', {
    'limiter/penalty-of-three-seconds': ['throttles a key for 3 seconds after a 429', penalty(3)],
    'limiter/penalty-of-ten-seconds': ['throttles a key for 10 seconds after a 429', penalty(10)],
    'limiter/retry-after-lies': [
      'says Retry-After: 1, and throttles whoever comes back within three seconds',
      penalty(3, true),
    ],
  }),
  ...limited('limiter/clustering-gains-nothing', {
    'limiter/full-after-a-short-pause': ['fills the bucket of a key that has sent nothing for 0.3 s', refilled(300)],
  }),
];

/** Serves throttled requests after all. */
const unlimited = (when: When) =>
  onReplyTo({ ...when, status: 429 }, ({ ask, request, mock, key }) =>
    ask(as(mock, request, key?.tenant ?? '', key?.scopes)),
  );

/** One bucket for all requests with the same name, beside those of the keys. @param pays whom it throttles */
const shared =
  (
    nameOf: (asked: Asked) => string | undefined,
    limit = { perSecond: 10, burst: 20 },
    pays: (asked: Asked) => boolean = () => true,
  ) =>
  (scene: Scene) => {
    const buckets = new Map<string, Limiting>();
    return instead((asked) => {
      const name = usable(asked) ? nameOf(asked) : undefined;
      if (name === undefined) return undefined;
      const common = buckets.get(name) ?? bucket(limit);
      buckets.set(name, common);
      const wait = common.take(asked.mock.clock.now());
      return wait === 0 || !pays(asked) ? undefined : tooManyRequests(wait);
    })(scene);
  };

/** A bucket of each key for one operation, beside the bucket of the key. */
const ofOperation = (operation: OperationId, limit?: Parameters<typeof shared>[1]) =>
  shared(({ key, id }) => (id === operation ? key?.id : undefined), limit);

/** Answers 429 to writes of public labels, and carries them out. */
const carriedOut = (act: LabelWrite['does']) =>
  doneAnyway({
    status: 429,
    where: (answered) => {
      const write = labelWriteOf(answered);
      return write?.label?.visibility === 'public' && write.does === act;
    },
  });

const throttled = (change: Parameters<typeof onReplyTo>[1]) => onReplyTo({ status: 429 }, change);
const withRetryAfter = (value: string) => withHeaders({ status: 429 }, { 'retry-after': value });
const measured = ['startSiteFileUpload', 'getConversationContext', 'getConversation', 'listLabels'] as const;

/** Buckets of more or fewer requests than those of one key, and other replies to requests over the rate. */
const otherReplies: readonly Defect[] = [
  ...breaking('limiter/429-comes-before-the-handler', {
    'limiter/carried-out-every-apply': carriedOut('apply'),
    'limiter/carried-out-every-remove': carriedOut('remove'),
  }),
  ...breaking('limiter/over-the-rate-is-429', {
    'limiter/none-for-the-second-tenant': unlimited({ tenant: 'globex' }),
    'limiter/none-for-keys-with-all-scopes': unlimited({ key: 'full' }),
    'limiter/one-in-five-is-503': withStatus({ status: 429, every: 5 }, 503),
    'limiter/removals-are-503': withStatus({ status: 429, method: 'DELETE' }, 503),
    'limiter/answers-503': withStatus({ status: 429 }, 503),
    'limiter/answers-403': failing({ status: 429 }, 403),
    'limiter/answers-200-empty': replying({ status: 429 }, 200, {}),
    'limiter/ends-the-connection': throttled(endConnection),
    'limiter/never-answers': throttled(({ reply }) => ({ ...reply, delay: 31_000 })),
  }),
  ...breaking('limiter/own-bucket-per-key', {
    'limiter/shared-by-tenant': shared(({ key }) => key?.tenant),
    'limiter/shared-by-all': shared(() => 'all'),
    'limiter/one-key-pays-for-others': [
      "counts the requests of a tenant's other keys against one of them as well",
      shared(
        ({ key }) => key?.tenant,
        undefined,
        ({ key }) => key?.name === 'limits',
      ),
    ],
  }),
  ...breaking('limiter/steady-rate', {
    ...Object.fromEntries(
      measured.flatMap((id) => [
        [`limiter/half-for-${id}`, ofOperation(id, { perSecond: 5, burst: 10 })],
        [`limiter/none-for-${id}`, unlimited({ id })],
      ]),
    ),
  }),
  ...breaking('limiter/429-has-retry-after', {
    'limiter/no-retry-after': throttled(({ reply: { headers, ...reply } }) => {
      const { 'retry-after': _, ...others } = headers;
      return { ...reply, headers: others };
    }),
  }),
  ...breaking('limiter/waiting-retry-after-suffices', {
    'limiter/retry-after-in-milliseconds': withRetryAfter('1000'),
    'limiter/retry-after-in-a-few-milliseconds': withRetryAfter('92'),
    'limiter/retry-after-zero': withRetryAfter('0'),
  }),
];

/** Limiters that admit too much or too little, count what they should not, or say it otherwise. */
export const limits: readonly Defect[] = [...otherBuckets, ...otherReplies];
