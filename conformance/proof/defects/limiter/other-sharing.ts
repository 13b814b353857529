import { type Asked, as, instead, onReply, type Scene } from '../../../../mock/proof/tampering/tamper.ts';
import type { OperationId } from '../../../../spec/operations.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { bucket, type Limiting, tooManyRequests } from '../../tampering/limiters.ts';
import { usable } from '../../tampering/predicates.ts';
import { measuredMay } from '../../tampering/targets.ts';
import { chain, onReplyTo, servedAs, type When } from '../../tampering/when.ts';

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

/** A smaller bucket of each key for one operation, beside the bucket of the key. */
const halfOf = (operation: OperationId) =>
  shared(({ key, id }) => (id === operation ? key?.id : undefined), { perSecond: 5, burst: 10 });

/** A bucket for each value of something that a client chooses for a request with the measured key. */
const perChoice = (chosenIn: (request: Asked['request']) => string | undefined) =>
  chain(
    unlimited({ key: 'limits' }),
    shared(({ key, id, request }) => (key?.name === 'limits' && id !== 'storage' ? chosenIn(request) : undefined)),
  );

/** Buckets that hold for more requests than those of one key, or for fewer. */
export const otherSharing: readonly Defect[] = [
  ...breaking('limiter/over-the-rate-is-429', {
    'limiter/none-for-the-second-tenant': ['throttles no key of the second tenant', unlimited({ tenant: 'globex' })],
    'limiter/none-for-one-key': ['throttles every key but one', unlimited({ key: 'only-site-read' })],
    'limiter/none-for-keys-with-all-scopes': ['throttles no key with every scope', unlimited({ key: 'full' })],
  }),
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
    'limiter/throttled-keys-empty-the-bucket-of-a-stranger': [
      "empties the bucket of the other tenant's key, if it was used just before, whenever a key is throttled",
      (scene) => {
        const emptied = bucket({ perSecond: 10, burst: 20 });
        let usedAt = Number.NEGATIVE_INFINITY;
        return onReply(({ key, mock, reply, id }) => {
          if (key === undefined || id === 'storage') return undefined;
          const now = mock.clock.now();
          if (key.tenant === 'acme') {
            while (reply.status === 429 && now - usedAt < 1_000 && emptied.take(now) === 0);
            return undefined;
          }
          if (key.name === 'reader') usedAt = now;
          const wait = key.name === 'reader' && reply.status !== 429 ? emptied.take(now) : 0;
          return wait > 0 ? tooManyRequests(wait) : undefined;
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
  ...breaking('limiter/burst', {
    'limiter/bucket-for-each-client': [
      'has a bucket for each User-Agent that shows a key',
      perChoice(({ headers }) => headers['user-agent']),
    ],
  }),
  ...breaking('limiter/steady-rate', {
    'limiter/bucket-for-each-address': [
      'has a bucket for each X-Forwarded-For that shows a key',
      perChoice(({ headers }) => headers['x-forwarded-for'] ?? ''),
    ],
    'limiter/bucket-for-each-query': [
      'has a bucket for each query that shows a key',
      perChoice(({ url }) => url.split('?')[1] ?? ''),
    ],
    'limiter/half-for-uploads': ['starts five uploads per second and key', halfOf('startSiteFileUpload')],
    'limiter/half-for-contexts': ['reads five contexts per second and key', halfOf('getConversationContext')],
    'limiter/half-for-conversations': ['reads five conversations per second and key', halfOf('getConversation')],
    'limiter/half-for-labels': ['lists labels five times per second and key', halfOf('listLabels')],
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
  {
    id: 'limiter/starts-not-counted',
    breaks: 'limiter/clustering-gains-nothing',
    does: 'does not count the starts of uploads',
    target: measuredMay('siteFile:write'),
    around: servedAs('its own', { id: 'startSiteFileUpload', key: 'limits' }),
  },
];
