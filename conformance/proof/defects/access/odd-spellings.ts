import { type Asked, as, instead } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { elsewhere, otherOf } from '../../tampering/predicates.ts';
import { failing, servedAfterAll, servedAs } from '../../tampering/when.ts';

/** Serves requests without a valid key whose URL the gateway does not recognise, as the request that they mean. */
const servedAt = (recognised: (url: string) => string, changes: { readonly method?: string } = {}) =>
  instead(({ key, request, mock, ask }) => {
    const url = recognised(request.url);
    const isMeant = key === undefined && request.headers['x-api-key'] === undefined;
    return isMeant && (url !== request.url || request.method === 'OPTIONS')
      ? ask(as(mock, { ...request, ...changes, url }, 'acme'))
      : undefined;
  });

/** Accepts values of x-api-key that are no keys. */
const recognising = (isTaken: (value: string, asked: Asked) => unknown) =>
  servedAs('acme', {
    secret: /./,
    where: (asked) => asked.key === undefined && isTaken(asked.request.headers['x-api-key'] ?? '', asked),
  });

const [window, maxInWindow] = [20, 12];

/** Breaks the mock while many requests arrive. */
const underLoad =
  (around: NonNullable<Defect['around']>): NonNullable<Defect['around']> =>
  (scene) => {
    const times: number[] = [];
    const broken = around(scene);
    return (request, trace) => {
      const now = scene.mock.clock.now();
      times.push(now);
      while ((times[0] ?? now) < now - window) times.shift();
      return (times.length > maxInWindow ? broken : scene.handle)(request, trace);
    };
  };

/** Checks that are forgotten for requests in another spelling, for nearly a key, or under load. */
export const oddSpellings: readonly Defect[] = [
  ...breaking('auth/no-key-is-403', {
    'auth/no-key-after-a-double-slash': [
      'asks for no key where a path has two slashes in a row',
      servedAt((url) => url.replace(/(?<!:)\/\/+/g, '/')),
    ],
    'auth/no-key-for-capital-version': ['asks for no key below /V1', servedAt((url) => url.replace(/^\/V1\//, '/v1/'))],
    'auth/no-key-for-encoded-letters': [
      'asks for no key where a letter of the path is percent-encoded',
      servedAt((url) => url.replace(/%[46]\w/g, decodeURIComponent)),
    ],
    'auth/no-key-for-a-suffix': ['asks for no key for .json', servedAt((url) => url.replace(/\.json$/, ''))],
    'auth/no-key-for-options': [
      'carries out OPTIONS like GET, and asks for no key',
      (scene) => {
        const broken = servedAt((url) => url, { method: 'GET' })(scene);
        return (request, trace) => (request.method === 'OPTIONS' ? broken : scene.handle)(request, trace);
      },
    ],
    'auth/no-key-from-its-own-machine': [
      'asks for no key from an address of its own, which X-Forwarded-For may claim',
      servedAs('acme', {
        secret: /^$/,
        where: ({ request }) => /^127\./.test(request.headers['x-forwarded-for'] ?? ''),
      }),
    ],
  }),
  ...breaking('auth/unknown-key-is-403', {
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
    'auth/unknown-key-works-under-load': [
      'lets unknown keys through while many requests arrive',
      underLoad(servedAfterAll('acme', { refused: 'unknown-key' })),
    ],
  }),
  ...breaking('auth/revoked-key-is-403', {
    'auth/revoked-key-works-under-load': [
      'lets revoked keys through while many requests arrive',
      underLoad(servedAfterAll('its own', { refused: 'revoked-key' })),
    ],
  }),
  ...breaking('scopes/context-needs-conversation-read', {
    'scopes/not-asked-with-a-query': [
      'asks for no scope where the URL has a query',
      servedAfterAll('its own', { refused: 'missing-scope', where: ({ request }) => request.url.includes('?include') }),
    ],
    'scopes/not-asked-for-capital-ids': [
      'asks for no scope where an id has capital letters',
      instead(({ key, request, mock, ask }) =>
        key !== undefined &&
        !key.revoked &&
        !key.scopes.has('conversation:read') &&
        /\/[C][0-9A-F-]{35}\/context$/.test(request.url)
          ? ask(as(mock, { ...request, url: request.url.toLowerCase() }, key.tenant))
          : undefined,
      ),
    ],
    'scopes/not-asked-the-second-time': [
      'forgets a refusal for a scope when the same key asks again within a moment',
      (scene) => {
        const refusedAt = new Map<string, number>();
        return servedAfterAll('its own', {
          refused: 'missing-scope',
          where: ({ key, id, mock }) => {
            const name = `${key?.name} ${id}`;
            const last = refusedAt.get(name);
            refusedAt.set(name, mock.clock.now());
            return last !== undefined && mock.clock.now() - last < 50;
          },
        })(scene);
      },
    ],
  }),
  ...breaking('isolation/reads-stay-in-tenant', {
    'isolation/encoded-ids-of-the-other': [
      'does not recognise the owner of a record whose id is percent-encoded',
      servedAfterAll('the other', { refused: elsewhere, where: ({ request }) => request.url.includes('%') }),
    ],
    'isolation/tenant-of-a-header': [
      'takes the tenant from the header X-Tenant',
      servedAfterAll('the other', {
        refused: elsewhere,
        where: ({ request, key }) => request.headers['x-tenant'] === otherOf(key?.tenant),
      }),
    ],
    'isolation/read-by-all-under-load': [
      'shows the records of one tenant to the other while many requests arrive',
      underLoad(servedAfterAll('the other', { refused: elsewhere, where: ({ request }) => request.method === 'GET' })),
    ],
  }),
];
