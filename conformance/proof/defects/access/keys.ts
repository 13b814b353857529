import { asArray, errorWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, as, bytesOf, instead } from '../../../../mock/proof/tampering/tamper.ts';
import { operationIds } from '../../../../spec/operations.ts';
import { jsonOrUndefined } from '../../../../spec/text/json-or-undefined.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { fromCache } from '../../tampering/from-cache.ts';
import { doneAnyway } from '../../tampering/label-write.ts';
import { revokedOfTheirs } from '../../tampering/targets.ts';
import { late, underLoad } from '../../tampering/timing.ts';
import {
  type AskedWhen,
  failing,
  inReply,
  onReplyTo,
  refusing,
  replying,
  servedAfterAll,
  servedAs,
  throttling,
  withoutKey,
} from '../../tampering/when.ts';

/** Serves requests without a key at URLs that the gateway does not recognise, as the requests that they mean. */
const servedAt = (meant: (url: string) => string) =>
  instead(({ request, mock, ask }) => {
    const url = meant(request.url);
    const isMeant = request.headers['x-api-key'] === undefined && url !== request.url;
    return isMeant ? ask(as(mock, { ...request, url }, 'acme')) : undefined;
  });

/** Accepts values of x-api-key that are no keys. */
const recognising = (isTaken: (value: string, keys: Asked['mock']['keys']) => unknown) =>
  servedAs('acme', {
    secret: /./,
    where: ({ key, request, mock }) => key === undefined && isTaken(request.headers['x-api-key'] ?? '', mock.keys),
  });

const unknown = { secret: /./, where: ({ key }: Asked) => key === undefined };

const isAcmesSecret = (text: string | null | undefined, { mock }: Asked) =>
  mock.keys.recognise(decodeURIComponent(text ?? ''))?.tenant === 'acme';

/** Accepts the secret of a key that the Authorization header holds in this form. */
const takenFrom = (authorization: RegExp, when: AskedWhen = {}) =>
  servedAs('acme', {
    ...when,
    authorization,
    where: (asked) => isAcmesSecret(asked.request.headers.authorization?.match(authorization)?.[1], asked),
  });

/** Accepts the secret of a key in this parameter of the query string. */
const takenFromQuery = (name: string, when: AskedWhen = {}) =>
  servedAs('acme', {
    ...withoutKey,
    ...when,
    where: (asked) => isAcmesSecret(new URLSearchParams(asked.request.url.split('?')[1] ?? '').get(name), asked),
  });

const gatewayBody = { message: 'Forbidden' };

/** Keys that are wrong or missing and served, keys in other places, valid keys that are refused. */
export const keys: readonly Defect[] = [
  ...breaking('auth/no-key-is-403', {
    'auth/no-key-401-on-upload': failing({ refused: 'no-key', id: 'startSiteFileUpload' }, 401),
    'auth/empty-key-401': failing(
      { refused: 'no-key', where: ({ request }) => request.headers['x-api-key'] === '' },
      401,
    ),
    'auth/no-key-lists-labels': servedAfterAll('acme', { refused: 'no-key', id: 'listLabels' }),
    'auth/no-key-starts-upload': servedAfterAll('acme', { refused: 'no-key', id: 'startSiteFileUpload' }),
    'auth/no-key-health': servedAfterAll('acme', { refused: 'no-key', id: 'getHealth' }),
    'auth/no-key-needed-after-a-while': late(servedAfterAll('acme', { refused: 'no-key' })),
    'auth/body-is-parsed-first': failing(
      {
        id: 'startSiteFileUpload',
        refused: 'no-key',
        where: ({ request }) => jsonOrUndefined(new TextDecoder().decode(bytesOf(request))) === undefined,
      },
      400,
    ),
    'auth/label-is-looked-up-first': onReplyTo({ refused: 'no-key' }, ({ params, mock }) =>
      params.labelId && !mock.tenants.get('acme')?.records.labels.has(params.labelId)
        ? errorWith(404, 'NOT_FOUND')
        : undefined,
    ),
    'auth/no-key-403-but-removed-from-link': doneAnyway({ refused: 'no-key', id: 'removeClientSiteLabel' }, 'acme'),
    'auth/no-key-reads-what-was-just-read': [
      'serves what was read with a key in the last 300 ms to anybody who asks for the same',
      fromCache({
        keeps: { ok: true, method: 'GET', where: ({ key }) => key },
        answers: { secret: /^$/ },
        milliseconds: 300,
      }),
    ],
    'auth/no-key-always-429': throttling({ id: operationIds, secret: /^$/ }),
    'auth/no-key-at-another-path': servedAt((url) => url.replace(/\/context\/$/, '/context')),
    'auth/no-key-after-a-double-slash': servedAt((url) => url.replace(/(?<!:)\/\/+/g, '/')),
    'auth/no-key-for-a-second-first-slash': servedAt((url) => url.replace(/^\/\/+/, '/')),
    'auth/no-key-for-capital-version': servedAt((url) => url.replace(/^\/V1\//, '/v1/')),
    'auth/no-key-for-encoded-letters': servedAt((url) => url.replace(/%[46]\w/g, decodeURIComponent)),
    'auth/no-key-for-a-suffix': servedAt((url) => url.replace(/\.json$/, '')),
    'auth/no-key-for-options': instead(({ request, mock, ask }) =>
      request.method === 'OPTIONS' && request.headers['x-api-key'] === undefined
        ? ask(as(mock, { ...request, method: 'GET' }, 'acme'))
        : undefined,
    ),
    'auth/no-key-from-its-own-machine': servedAs('acme', {
      secret: /^$/,
      where: ({ request }) => /^127\./.test(request.headers['x-forwarded-for'] ?? ''),
    }),
  }),
  ...breaking('auth/unknown-key-is-403', {
    'auth/unknown-key-404-on-conversation': failing({ refused: 'unknown-key', id: 'getConversation' }, 404),
    'auth/unknown-key-401-for-writes-on-links': failing({ refused: 'unknown-key', id: 'removeClientSiteLabel' }, 401),
    'auth/unknown-key-of-that-shape-401': failing(
      { refused: 'unknown-key', secret: /^[a-z]{8}-fake-secret-\d{16}$/ },
      401,
    ),
    'auth/short-key-401': failing({ refused: 'unknown-key', secret: /^.{1,9}$/ }, 401),
    'auth/long-key-400': failing({ refused: 'unknown-key', secret: /^.{129,}$/ }, 400),
    'auth/key-with-punctuation-400': failing({ refused: 'unknown-key', secret: /[/+=:]/ }, 400),
    'auth/unknown-key-always-500': refusing({ id: operationIds, ...unknown }, 500),
    'auth/unknown-key-with-a-quote-500': refusing({ id: operationIds, ...unknown, secret: /['"]/ }, 500),
    'auth/unknown-key-reads': servedAfterAll('acme', { refused: 'unknown-key', id: 'getConversationContext' }),
    'auth/unknown-key-removes-site-label': servedAfterAll('acme', { refused: 'unknown-key', id: 'removeSiteLabel' }),
    'auth/unknown-key-works-under-load': underLoad(servedAfterAll('acme', { refused: 'unknown-key' })),
    'auth/unknown-key-beside-a-bearer-token': servedAs('acme', { ...unknown, authorization: /^Bearer acme/ }),
    'auth/key-with-a-tail': recognising((value, keys) => keys.recognise(value.slice(0, -1))),
    'auth/key-with-a-head': recognising((value, keys) => keys.recognise(value.slice(1))),
    'auth/last-character-ignored': recognising(
      (value, keys) => value.length > 20 && [...'0123456789'].some((last) => keys.recognise(value.slice(0, -1) + last)),
    ),
    'auth/any-key-of-a-list': recognising((value, keys) => value.split(', ').some((one) => keys.recognise(one))),
    'auth/key-ends-at-nul': recognising((value, keys) => keys.recognise(value.split('%00')[0] ?? '')),
    'auth/wildcard-is-a-key': recognising((value) => value === '*' || value === '%'),
    'auth/undefined-is-a-key': recognising((value) => value === 'undefined' || value === 'null'),
  }),
  ...breaking('auth/revoked-key-is-403', {
    'auth/revoked-key-401': failing({ refused: 'revoked-key' }, 401),
    'auth/revoked-key-reads': servedAfterAll('acme', { refused: 'revoked-key', id: 'getConversationContext' }),
    'auth/revoked-key-applies-to-conversation': servedAfterAll('acme', {
      refused: 'revoked-key',
      id: 'applyConversationLabel',
    }),
    'auth/revoked-key-removes-from-site': doneAnyway({ refused: 'revoked-key', id: 'removeSiteLabel' }, 'acme'),
    'auth/revoked-key-works-after-a-valid-one': fromCache({
      keeps: { ok: true, method: 'GET', usable: true },
      answers: { refused: 'revoked-key' },
      milliseconds: 500,
    }),
    'auth/revoked-key-always-429': throttling({ id: operationIds, where: ({ key }) => key?.revoked }),
    'auth/revoked-key-works-under-load': underLoad(servedAfterAll('its own', { refused: 'revoked-key' })),
    'auth/revoked-key-of-the-other-tenant-reads': [
      'knows revoked keys of the second tenant still',
      servedAs('globex', { secret: /^globexold-/ }),
      revokedOfTheirs,
    ],
  }),
  ...breaking('auth/bearer-is-not-supported', {
    'auth/bearer-401': failing({ refused: /./, secret: /^$/, authorization: /^Bearer / }, 401),
    'auth/bearer-accepted-for-uploads': takenFrom(/^Bearer (.*)$/, { id: 'startSiteFileUpload' }),
    'auth/bearer-is-served-nothing': replying({ refused: 'bearer-only' }, 200, {}),
    'auth/bearer-refused-but-applied': doneAnyway(
      { refused: /./, id: 'applyClientSiteLabel', authorization: /^Bearer / },
      'acme',
    ),
  }),
  ...breaking('auth/header-is-required', {
    'auth/basic-401': failing({ refused: /./, secret: /^$/, authorization: /^Basic / }, 401),
    'auth/basic-accepted-for-writes': servedAs('acme', { id: 'removeClientSiteLabel', authorization: /^Basic / }),
    'auth/key-in-query-accepted': takenFromQuery('x-api-key'),
    'auth/api-key-in-query-accepted': takenFromQuery('api_key', { method: 'GET' }),
    'auth/key-in-query-refused-but-removed': doneAnyway(
      { refused: /./, id: 'removeConversationLabel', url: /[?&]api_key=/ },
      'acme',
    ),
    'auth/key-in-cookie-accepted': servedAs('acme', {
      where: (asked) => isAcmesSecret(/x-api-key=([^;]+)/.exec(asked.request.headers.cookie ?? '')?.[1], asked),
    }),
    'auth/bare-authorization-accepted': takenFrom(/^(.*)$/),
    'auth/api-key-scheme-accepted': takenFrom(/^ApiKey (.*)$/i),
    'auth/key-in-apikey-header-registers': servedAs('acme', {
      id: 'registerSiteFile',
      where: ({ request }) => request.headers.apikey,
    }),
  }),
  ...breaking('auth/key-in-x-api-key', {
    'auth/valid-key-refused-on-upload': refusing({ id: 'startSiteFileUpload' }, 401),
    'auth/second-key-refused': refusing(
      { usable: true, where: ({ key }) => key?.name.startsWith('only-conversation-read') },
      403,
    ),
    'auth/strangers-key-refused': refusing({ tenant: 'globex', key: 'reader' }, 403),
    'auth/narrow-key-expires': refusing({ key: 'only-conversation-read', after: 40 }, 401),
  }),
  ...breaking('auth/forbidden-has-the-error-body', {
    'auth/gateway-body-without-key': replying({ refused: 'no-key' }, 403, gatewayBody),
    'auth/gateway-body-for-missing-scope': replying({ refused: 'missing-scope' }, 403, gatewayBody),
    'auth/gateway-body-for-unknown-key': replying({ refused: 'unknown-key' }, 403, gatewayBody),
    'auth/revoked-key-without-code': replying({ refused: 'revoked-key' }, 403, {
      error: { message: 'It was revoked.' },
    }),
    'auth/empty-code-for-missing-scope-on-links': inReply(
      { refused: 'missing-scope', id: 'applyClientSiteLabel' },
      () => ({ error: { code: '', message: 'no' } }),
    ),
  }),
  ...breaking('keys/partner-scoped', {
    'keys/records-of-the-key-that-made-them': failing(
      { id: 'getConversationContext', ok: true, record: 'closed', key: 'only-conversation-read' },
      404,
    ),
    'keys/labels-of-the-key': inReply({ id: 'listLabels', ok: true, key: 'full', tenant: 'acme' }, ({ labels }) => ({
      labels: asArray(labels).slice(2),
    })),
    'keys/first-message-for-one-key': inReply(
      { id: 'getConversationContext', ok: true, key: 'full' },
      ({ messages }) => ({
        messages: asArray(messages).slice(1),
      }),
    ),
  }),
];
