import { replyWith, withJson } from '../../../../mock/proof/tampering/json-value.ts';
import { type Answered, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { tooManyRequests } from '../../tampering/limiters.ts';
import { endConnection, failing, inReply, onReplyTo, withHeaders, withStatus, withText } from '../../tampering/when.ts';
import { wrongValue } from '../../tampering/wrong-value.ts';

/** Changes some 429s. */
const throttled = (change: Parameters<typeof onReplyTo>[1]) => onReplyTo({ status: 429 }, change);

const withRetryAfter = (value: string) => withHeaders({ status: 429 }, { 'retry-after': value });

const withoutRetryAfter = ({ reply }: Answered): Answered['reply'] => {
  const { 'retry-after': _, ...headers } = reply.headers;
  return { ...reply, headers };
};

/** Wrong replies to requests over the rate. */
export const repliesOverTheRate: readonly Defect[] = [
  ...breaking('limiter/over-the-rate-is-429', {
    'limiter/one-in-five-is-503': withStatus({ status: 429, every: 5 }, 503),
    'limiter/removals-are-503': withStatus({ status: 429, method: 'DELETE' }, 503),
    'limiter/answers-503': withStatus({ status: 429 }, 503),
    'limiter/answers-403': failing({ status: 429 }, 403),
    'limiter/ends-the-connection': [
      'ends the connection over the rate',
      (scene) => throttled(() => endConnection(scene))(scene),
    ],
    'limiter/never-answers': ['gives no reply over the rate', throttled(({ reply }) => ({ ...reply, delay: 31_000 }))],
    'limiter/answers-200-empty': ['answers an empty 200 over the rate', throttled(() => replyWith(200, {}))],
  }),
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
    'limiter/retry-after-in-a-few-milliseconds': ['says Retry-After: 92 and means milliseconds', withRetryAfter('92')],
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
    'limiter/body-is-text': ['answers 429 with a text', withText({ status: 429 }, 'slow down', 'text/plain')],
    'limiter/message-is-an-object': wrongValue({ status: 429 }, 'message', 'an object', (text) => ({ text })),
  }),
];
