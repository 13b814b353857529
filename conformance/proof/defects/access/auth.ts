import { errorWith, replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Answered, type Asked, as, bytesOf, instead, onRequest } from '../../../../mock/proof/tampering/tamper.ts';
import { jsonOrUndefined } from '../../../../spec/text/json-or-undefined.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { doneAnyway } from '../../tampering/label-write.ts';
import { type AskedWhen, failing, onReplyTo, refusing, servedAs } from '../../tampering/when.ts';

const withoutKey: AskedWhen = { secret: /^$/, authorization: /^$/ };
const withUnknownKey: AskedWhen = { secret: /./, where: ({ key }) => key === undefined };

const isRevoked = ({ key }: Asked) => key?.revoked;

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
const takenFromQuery = (name: string, where: (asked: Asked) => boolean = () => true) =>
  servedAs('acme', {
    ...withoutKey,
    where: (asked) =>
      where(asked) && isAcmesSecret(new URLSearchParams(asked.request.url.split('?')[1] ?? '').get(name), asked),
  });

/** Refuses with the body of a gateway. */
const asGateway = (refused: NonNullable<Answered['refused']>) =>
  onReplyTo({ refused }, () => replyWith(403, { message: 'Forbidden' }));

const isJson = (bytes: Uint8Array) => jsonOrUndefined(new TextDecoder().decode(bytes)) !== undefined;

export const auth: readonly Defect[] = [
  ...breaking('auth/no-key-is-403', {
    'auth/no-key-401-on-upload': [
      'answers a request without a key with 401 where an upload is started, and with 403 elsewhere',
      failing({ refused: 'no-key', id: 'startSiteFileUpload' }, 401),
    ],
    'auth/empty-key-401': [
      'answers an empty x-api-key with 401, and a missing one with 403',
      failing({ refused: 'no-key', where: ({ request }) => request.headers['x-api-key'] === '' }, 401),
    ],
    'auth/no-key-lists-labels': ['lists labels to anybody', servedAs('acme', { ...withoutKey, id: 'listLabels' })],
    'auth/no-key-at-another-path': [
      'asks for no key where a path ends in a slash, which means the same path without it',
      instead(({ request, mock, ask }) =>
        request.url.endsWith('/context/')
          ? ask(as(mock, { ...request, url: request.url.slice(0, -1) }, 'acme'))
          : undefined,
      ),
    ],
    'auth/no-key-starts-upload': [
      'lets anybody start an upload',
      servedAs('acme', { ...withoutKey, id: 'startSiteFileUpload' }),
    ],
    'auth/no-key-health': [
      'answers the health endpoint without a key',
      servedAs('acme', { ...withoutKey, id: 'getHealth' }),
    ],
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
    'auth/no-key-403-but-removed-from-link': [
      'answers a removal without a key with 403, and takes the label off a link all the same',
      doneAnyway({ refused: 'no-key', id: 'removeClientSiteLabel' }, 'acme'),
    ],
  }),
  ...breaking('auth/unknown-key-is-403', {
    'auth/unknown-key-404-on-conversation': [
      'answers an unknown key with 404 where a conversation is asked for',
      failing({ refused: 'unknown-key', id: 'getConversation' }, 404),
    ],
    'auth/unknown-key-reads': [
      'shows a context to any key, also to an unknown one',
      servedAs('acme', { ...withUnknownKey, id: 'getConversationContext' }),
    ],
    'auth/unknown-key-removes-site-label': [
      'lets an unknown key take a label off a site',
      servedAs('acme', { ...withUnknownKey, id: 'removeSiteLabel' }),
    ],
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
  }),
  ...breaking('auth/revoked-key-is-403', {
    'auth/revoked-key-reads': [
      'serves reads from a cache that has not heard of the revocation',
      servedAs('acme', { id: 'getConversationContext', where: isRevoked }),
    ],
    'auth/revoked-key-applies-to-conversation': [
      'lets a revoked key apply a label to a conversation',
      servedAs('acme', { id: 'applyConversationLabel', where: isRevoked }),
    ],
    'auth/revoked-key-401': ['answers a revoked key with 401', failing({ refused: 'revoked-key' }, 401)],
  }),
  ...breaking('auth/bearer-is-not-supported', {
    'auth/bearer-401': [
      'answers a Bearer token in place of a key with 401',
      failing({ refused: /./, secret: /^$/, authorization: /^Bearer / }, 401),
    ],
    'auth/bearer-accepted-for-uploads': [
      'takes a Bearer token where an upload is started, and nowhere else',
      takenFrom(/^Bearer (.*)$/, { id: 'startSiteFileUpload' }),
    ],
    'auth/bearer-is-served-nothing': [
      'answers a Bearer token with an empty 200',
      onReplyTo({ refused: 'bearer-only' }, () => replyWith(200, {})),
    ],
  }),
  ...breaking('auth/header-is-required', {
    'auth/basic-401': [
      'answers Basic credentials in place of a key with 401',
      failing({ refused: /./, secret: /^$/, authorization: /^Basic / }, 401),
    ],
    'auth/key-in-query-accepted': ['takes the key from the query string as well', takenFromQuery('x-api-key')],
    'auth/api-key-in-query-accepted': [
      'takes the key from the query string under the name api_key, for reads',
      takenFromQuery('api_key', ({ request }) => request.method === 'GET'),
    ],
    'auth/key-in-cookie-accepted': [
      'takes the key from a cookie as well',
      servedAs('acme', {
        where: (asked) => isAcmesSecret(/x-api-key=([^;]+)/.exec(asked.request.headers.cookie ?? '')?.[1], asked),
      }),
    ],
    'auth/bare-authorization-accepted': [
      'takes the key from the Authorization header without a scheme',
      takenFrom(/^(.*)$/),
    ],
    'auth/api-key-scheme-accepted': [
      'takes the key from the Authorization header with the scheme ApiKey',
      takenFrom(/^ApiKey (.*)$/i),
    ],
  }),
  ...breaking('auth/key-in-x-api-key', {
    'auth/valid-key-refused-on-upload': [
      'does not recognise a valid key where a request has a body',
      refusing({ id: 'startSiteFileUpload' }, 401),
    ],
    'auth/second-key-refused': [
      'knows one key per tenant and refuses every other',
      refusing({ usable: true, where: ({ key }) => key?.name.startsWith('only-conversation-read') }, 403),
    ],
    'auth/strangers-key-refused': [
      'refuses the valid reader of the second tenant',
      refusing({ tenant: 'globex', key: 'reader' }, 403),
    ],
  }),
  ...breaking('auth/forbidden-has-the-error-body', {
    'auth/gateway-body-without-key': ['answers a missing key with a gateway body', asGateway('no-key')],
    'auth/gateway-body-for-missing-scope': ['answers a missing scope with a gateway body', asGateway('missing-scope')],
    'auth/gateway-body-for-unknown-key': ['answers an unknown key with a gateway body', asGateway('unknown-key')],
    'auth/revoked-key-without-code': [
      'leaves the code out of the error body for a revoked key',
      onReplyTo({ refused: 'revoked-key' }, () => replyWith(403, { error: { message: 'This key was revoked.' } })),
    ],
  }),
];
