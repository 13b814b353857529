import { type Asked, onRequest } from '../../../../mock/proof/tampering/tamper.ts';
import { operationIds } from '../../../../spec/operations.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { fromCache } from '../../tampering/from-cache.ts';
import { doneAnyway } from '../../tampering/label-write.ts';
import { revokedOfTheirs } from '../../tampering/targets.ts';
import { underLoad } from '../../tampering/timing.ts';
import { failing, refusing, servedAfterAll, servedAs, throttling } from '../../tampering/when.ts';

/** Accepts values of x-api-key that are no keys. */
const recognising = (isTaken: (value: string, asked: Asked) => unknown) =>
  servedAs('acme', {
    secret: /./,
    where: (asked) => asked.key === undefined && isTaken(asked.request.headers['x-api-key'] ?? '', asked),
  });

/** Requests with a key that nobody has, or that was revoked, are served, answered otherwise than 403, or have an effect. */
export const wrongKey: readonly Defect[] = [
  ...breaking('auth/unknown-key-is-403', {
    'auth/unknown-key-404-on-conversation': failing({ refused: 'unknown-key', id: 'getConversation' }, 404),
    'auth/unknown-key-reads': servedAfterAll('acme', { refused: 'unknown-key', id: 'getConversationContext' }),
    'auth/unknown-key-removes-site-label': servedAfterAll('acme', { refused: 'unknown-key', id: 'removeSiteLabel' }),
    'auth/unknown-key-of-that-shape-401': [
      'answers a key that nobody has with 401 where it looks like one, and with 403 elsewhere',
      failing({ refused: 'unknown-key', secret: /^[a-z]{8}-fake-secret-\d{16}$/ }, 401),
    ],
    'auth/key-with-a-tail': [
      'ignores what follows a valid key',
      onRequest(({ request, key, mock }) => {
        const begins = (request.headers['x-api-key'] ?? '').slice(0, -1);
        return key === undefined && mock.keys.recognise(begins) !== undefined
          ? { ...request, headers: { ...request.headers, 'x-api-key': begins } }
          : undefined;
      }),
    ],
    'auth/unknown-key-beside-a-bearer-token': [
      'lets an unknown key through where a good one comes as Bearer token',
      servedAs('acme', { secret: /./, authorization: /^Bearer acme/, where: ({ key }) => key === undefined }),
    ],
    'auth/unknown-key-is-remembered-as-known': [
      'recognises keys by all but their last character',
      servedAs('acme', { secret: /^acme(full-fake-secret-000000000000000|conr-fake-secret-000000000000000)$/ }),
    ],
    'auth/unknown-key-401-for-writes-on-links': failing({ refused: 'unknown-key', id: 'removeClientSiteLabel' }, 401),
    'auth/unknown-key-403-but-removed-from-closed': doneAnyway(
      { refused: 'unknown-key', id: 'removeConversationLabel', record: 'closed' },
      'acme',
    ),
    'auth/unknown-key-always-500': [
      'breaks on every key that nobody has',
      refusing({ id: operationIds, secret: /./, where: ({ key }) => key === undefined }, 500),
    ],
    'auth/unknown-key-with-a-quote-500': [
      'breaks on a key with a quote that nobody has',
      refusing({ id: operationIds, secret: /['"]/, where: ({ key }) => key === undefined }, 500),
    ],
    'auth/last-character-ignored': [
      'compares all characters of a key but the last',
      recognising(
        (value, { mock }) =>
          value.length > 20 &&
          [...'0123456789'].some((last) => mock.keys.recognise(value.slice(0, -1) + last) !== undefined),
      ),
    ],
    'auth/key-with-a-head': [
      'ignores what stands before a valid key',
      recognising((value, { mock }) => mock.keys.recognise(value.slice(1)) !== undefined),
    ],
    'auth/any-key-of-a-list': [
      'accepts a list of keys if one of them is valid',
      recognising((value, { mock }) => value.split(', ').some((one) => mock.keys.recognise(one) !== undefined)),
    ],
    'auth/key-ends-at-nul': [
      'reads a key up to an encoded NUL',
      recognising((value, { mock }) => mock.keys.recognise(value.split('%00')[0] ?? '') !== undefined),
    ],
    'auth/wildcard-is-a-key': ['accepts a wildcard as a key', recognising((value) => value === '*' || value === '%')],
    'auth/undefined-is-a-key': [
      'accepts the text undefined as a key',
      recognising((value) => value === 'undefined' || value === 'null'),
    ],
    'auth/short-key-401': [
      'answers a short key with 401',
      failing({ refused: 'unknown-key', secret: /^.{1,9}$/ }, 401),
    ],
    'auth/long-key-400': ['answers a long key with 400', failing({ refused: 'unknown-key', secret: /^.{129,}$/ }, 400)],
    'auth/key-with-punctuation-400': [
      'answers a key with punctuation with 400',
      failing({ refused: 'unknown-key', secret: /[/+=:]/ }, 400),
    ],
    'auth/unknown-key-works-under-load': underLoad(servedAfterAll('acme', { refused: 'unknown-key' })),
  }),
  ...breaking('auth/revoked-key-is-403', {
    'auth/revoked-key-reads': servedAfterAll('acme', { refused: 'revoked-key', id: 'getConversationContext' }),
    'auth/revoked-key-applies-to-conversation': servedAfterAll('acme', {
      refused: 'revoked-key',
      id: 'applyConversationLabel',
    }),
    'auth/revoked-key-401': failing({ refused: 'revoked-key' }, 401),
    'auth/revoked-key-removes-from-site': doneAnyway({ refused: 'revoked-key', id: 'removeSiteLabel' }, 'acme'),
    'auth/revoked-key-works-after-a-valid-one': [
      'serves a revoked key where the same was asked with a valid one a moment ago',
      fromCache({
        keeps: { ok: true, method: 'GET', usable: true },
        answers: { refused: 'revoked-key' },
        milliseconds: 500,
      }),
    ],
    'auth/revoked-key-always-429': [
      'throttles revoked keys, however slowly they ask',
      throttling({ id: operationIds, where: ({ key }) => key?.revoked }),
    ],
    'auth/revoked-key-works-under-load': underLoad(servedAfterAll('its own', { refused: 'revoked-key' })),
  }),
  {
    id: 'auth/revoked-key-of-the-other-tenant-reads',
    breaks: 'auth/revoked-key-is-403',
    does: 'knows revoked keys of the second tenant still',
    target: revokedOfTheirs,
    around: servedAs('globex', { secret: /^globexold-/ }),
  },
];
