import { withJson } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, as, instead, onReply, type Scene } from '../../../../mock/proof/tampering/tamper.ts';
import type { OperationId } from '../../../../spec/operations.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { doneAnyway, type LabelWrite, labelWriteOf } from '../../tampering/label-write.ts';
import { bucket, type Limiting, tooManyRequests } from '../../tampering/limiters.ts';
import { usable } from '../../tampering/predicates.ts';
import { measuredMay } from '../../tampering/targets.ts';
import { heldBack } from '../../tampering/waiting.ts';
import {
  chain,
  endConnection,
  failing,
  inReply,
  onReplyTo,
  replying,
  servedAs,
  type When,
  withHeaders,
  withStatus,
  withText,
} from '../../tampering/when.ts';
import { wrongValue } from '../../tampering/wrong-value.ts';

/** Serves throttled requests after all. */
const unlimited = (when: When) =>
  onReplyTo({ ...when, status: 429 }, ({ ask, request, mock, key }) =>
    ask(as(mock, request, key?.tenant ?? '', key?.scopes)),
  );

/** One bucket for all requests with the same name, beside those of the keys. */
const shared =
  (nameOf: (asked: Asked) => string | undefined, limit = { perSecond: 10, burst: 20 }) =>
  (scene: Scene) => {
    const buckets = new Map<string, Limiting>();
    return instead((asked) => {
      const name = usable(asked) ? nameOf(asked) : undefined;
      if (name === undefined) return undefined;
      const common = buckets.get(name) ?? bucket(limit);
      buckets.set(name, common);
      const wait = common.take(asked.mock.clock.now());
      return wait === 0 ? undefined : tooManyRequests(wait);
    })(scene);
  };

/** A bucket of each key for one operation, beside the bucket of the key. */
const ofOperation = (operation: OperationId, limit?: Parameters<typeof shared>[1]) =>
  shared(({ key, id }) => (id === operation ? key?.id : undefined), limit);
const half = { perSecond: 5, burst: 10 };

/** A bucket for each value of something that a client chooses for a request with the measured key. */
const perChoice = (chosenIn: (request: Asked['request']) => string | undefined) =>
  chain(
    unlimited({ key: 'limits' }),
    shared(({ key, id, request }) => (key?.name === 'limits' && id !== 'storage' ? chosenIn(request) : undefined)),
  );

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

/** Buckets that hold for more requests than those of one key, or for fewer, and wrong replies to requests over the rate. */
export const repliesOverTheRate: readonly Defect[] = [
  ...breaking('limiter/429-comes-before-the-handler', {
    'limiter/carried-out-every-apply': carriedOut('apply'),
    'limiter/carried-out-every-remove': carriedOut('remove'),
  }),
  ...breaking('limiter/over-the-rate-is-429', {
    'limiter/none-for-the-second-tenant': unlimited({ tenant: 'globex' }),
    'limiter/none-for-one-key': unlimited({ key: 'only-site-read' }),
    'limiter/none-for-keys-with-all-scopes': unlimited({ key: 'full' }),
    'limiter/one-in-five-is-503': withStatus({ status: 429, every: 5 }, 503),
    'limiter/removals-are-503': withStatus({ status: 429, method: 'DELETE' }, 503),
    'limiter/answers-503': withStatus({ status: 429 }, 503),
    'limiter/answers-403': failing({ status: 429 }, 403),
    'limiter/answers-200-empty': replying({ status: 429 }, 200, {}),
    'limiter/removals-held-back': chain(
      unlimited({ method: 'DELETE' }),
      heldBack(
        () => 0,
        ({ request }) => request.method === 'DELETE',
      ),
    ),
    'limiter/ends-the-connection': (scene) => throttled(() => endConnection(scene))(scene),
    'limiter/never-answers': throttled(({ reply }) => ({ ...reply, delay: 31_000 })),
  }),
  ...breaking('limiter/own-bucket-per-key', {
    'limiter/shared-by-tenant': shared(({ key }) => key?.tenant),
    'limiter/shared-by-all': shared(() => 'all'),
    'limiter/shared-by-keys-of-a-name': shared(({ key }) => key?.name),
    'limiter/shared-by-similar-keys': shared(({ key }) => key?.name.slice(0, 6)),
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
  }),
  ...breaking('limiter/burst', {
    'limiter/bucket-for-each-client': perChoice(({ headers }) => headers['user-agent']),
  }),
  ...breaking('limiter/clustering-gains-nothing', {
    'limiter/starts-not-counted': [
      'does not count the starts of uploads',
      servedAs('its own', { id: 'startSiteFileUpload', key: 'limits' }),
      measuredMay('siteFile:write'),
    ],
  }),
  ...breaking('limiter/steady-rate', {
    'limiter/bucket-for-each-address': perChoice(({ headers }) => headers['x-forwarded-for'] ?? ''),
    'limiter/bucket-for-each-query': perChoice(({ url }) => url.split('?')[1] ?? ''),
    'limiter/half-for-uploads': ofOperation('startSiteFileUpload', half),
    'limiter/half-for-contexts': ofOperation('getConversationContext', half),
    'limiter/half-for-conversations': ofOperation('getConversation', half),
    'limiter/half-for-labels': ofOperation('listLabels', half),
    'limiter/none-for-uploads': unlimited({ id: 'startSiteFileUpload' }),
    'limiter/none-for-links': unlimited({ id: 'removeClientSiteLabel' }),
    'limiter/uploads-have-a-bucket-of-their-own': chain(
      unlimited({ id: 'startSiteFileUpload' }),
      ofOperation('startSiteFileUpload'),
    ),
  }),
  ...breaking('limiter/429-has-retry-after', {
    'limiter/no-retry-after': throttled(({ reply: { headers, ...reply } }) => {
      const { 'retry-after': _, ...others } = headers;
      return { ...reply, headers: others };
    }),
    'limiter/retry-after-is-a-date': throttled(({ reply, mock }) => ({
      ...reply,
      headers: { ...reply.headers, 'retry-after': new Date(mock.clock.now() + 1000).toUTCString() },
    })),
  }),
  ...breaking('limiter/waiting-retry-after-suffices', {
    'limiter/retry-after-in-milliseconds': withRetryAfter('1000'),
    'limiter/retry-after-in-a-few-milliseconds': withRetryAfter('92'),
    'limiter/retry-after-zero': withRetryAfter('0'),
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
    'limiter/error-body': throttled(({ reply }) =>
      withJson(reply, { error: { code: 'TOO_MANY_REQUESTS', message: 'Too Many Requests' } }),
    ),
    'limiter/body-with-a-second-field': inReply({ status: 429 }, () => ({ requestId: 'r-1' })),
    'limiter/body-is-text': withText({ status: 429 }, 'slow down', 'text/plain'),
    'limiter/message-is-an-object': wrongValue({ status: 429 }, 'message', (text) => ({ text })),
  }),
];
