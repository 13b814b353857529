import { errorWith } from '../../../../mock/proof/tampering/json-value.ts';
import { as, bytesOf, instead } from '../../../../mock/proof/tampering/tamper.ts';
import { operationIds } from '../../../../spec/operations.ts';
import { jsonOrUndefined } from '../../../../spec/text/json-or-undefined.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { fromCache } from '../../tampering/from-cache.ts';
import { doneAnyway } from '../../tampering/label-write.ts';
import { late } from '../../tampering/timing.ts';
import { failing, onReplyTo, servedAfterAll, servedAs, throttling } from '../../tampering/when.ts';

const isJson = (bytes: Uint8Array) => jsonOrUndefined(new TextDecoder().decode(bytes)) !== undefined;

/** Serves requests without a valid key whose URL the gateway does not recognise, as the request that they mean. */
const servedAt = (recognised: (url: string) => string, changes: { readonly method?: string } = {}) =>
  instead(({ key, request, mock, ask }) => {
    const url = recognised(request.url);
    const isMeant = key === undefined && request.headers['x-api-key'] === undefined;
    return isMeant && (url !== request.url || request.method === 'OPTIONS')
      ? ask(as(mock, { ...request, ...changes, url }, 'acme'))
      : undefined;
  });

/** Requests without a key are served, answered otherwise than 403, or have an effect. */
export const noKey: readonly Defect[] = [
  ...breaking('auth/no-key-is-403', {
    'auth/no-key-401-on-upload': failing({ refused: 'no-key', id: 'startSiteFileUpload' }, 401),
    'auth/empty-key-401': [
      'answers an empty x-api-key with 401, and a missing one with 403',
      failing({ refused: 'no-key', where: ({ request }) => request.headers['x-api-key'] === '' }, 401),
    ],
    'auth/no-key-lists-labels': servedAfterAll('acme', { refused: 'no-key', id: 'listLabels' }),
    'auth/no-key-at-another-path': [
      'asks for no key where a path ends in a slash, which means the same path without it',
      instead(({ request, mock, ask }) =>
        request.url.endsWith('/context/')
          ? ask(as(mock, { ...request, url: request.url.slice(0, -1) }, 'acme'))
          : undefined,
      ),
    ],
    'auth/no-key-starts-upload': servedAfterAll('acme', { refused: 'no-key', id: 'startSiteFileUpload' }),
    'auth/no-key-health': servedAfterAll('acme', { refused: 'no-key', id: 'getHealth' }),
    'auth/body-is-parsed-first': [
      'answers a body that is not JSON with 400 before it looks for a key',
      failing({ id: 'startSiteFileUpload', refused: 'no-key', where: ({ request }) => !isJson(bytesOf(request)) }, 400),
    ],
    'auth/label-is-looked-up-first': [
      'answers a label that does not exist with 404 before it looks for a key',
      onReplyTo({ refused: 'no-key' }, ({ params, mock }) =>
        params.labelId && !mock.tenants.get('acme')?.records.labels.has(params.labelId)
          ? errorWith(404, 'NOT_FOUND')
          : undefined,
      ),
    ],
    'auth/no-key-403-but-removed-from-link': doneAnyway({ refused: 'no-key', id: 'removeClientSiteLabel' }, 'acme'),
    'auth/no-key-reads-closed-context': servedAfterAll('acme', {
      refused: 'no-key',
      id: 'getConversationContext',
      record: 'closed',
    }),
    'auth/no-key-reads-what-was-just-read': [
      'serves what was read with a key in the last 300 ms to anybody who asks for the same',
      fromCache({
        keeps: { ok: true, method: 'GET', where: ({ key }) => key },
        answers: { secret: /^$/ },
        milliseconds: 300,
      }),
    ],
    'auth/no-key-403-but-applied-to-legacy-site': doneAnyway(
      { refused: 'no-key', id: 'applySiteLabel', record: 'legacy' },
      'acme',
    ),
    'auth/no-key-always-429': ['throttles whoever shows no key', throttling({ id: operationIds, secret: /^$/ })],
    'auth/no-key-needed-after-a-while': late(servedAfterAll('acme', { refused: 'no-key' })),
    'auth/no-key-after-a-double-slash': [
      'asks for no key where a path has two slashes in a row',
      servedAt((url) => url.replace(/(?<!:)\/\/+/g, '/')),
    ],
    'auth/no-key-for-a-second-first-slash': [
      'asks for no key where a path begins with two slashes',
      servedAt((url) => url.replace(/^\/\/+/, '/')),
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
];
