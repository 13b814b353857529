import { errorWith, replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import {
  type Answered,
  type Asked,
  as,
  bytesOf,
  instead,
  onReply,
  onRequest,
} from '../../../../mock/proof/tampering/tamper.ts';
import { jsonOrUndefined } from '../../../../spec/text/json-or-undefined.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { carryOut, labelWriteOf } from '../../tampering/label-write.ts';

/** Changes the status of some refusals. */
const withStatus = (refused: Answered['refused'], status: number, where: (asked: Asked) => boolean = () => true) =>
  onReply((answered) =>
    answered.refused === refused && where(answered) ? errorWith(status, 'UNAUTHORIZED') : undefined,
  );

/** Accepts some requests as if they had a key of acme. */
const letIn = (who: (asked: Asked) => boolean) =>
  instead((asked) => (who(asked) ? asked.ask(as(asked.mock, asked.request, 'acme')) : undefined));

const hasNoKey = ({ request }: Asked) =>
  (request.headers['x-api-key'] ?? '') === '' && request.headers.authorization === undefined;

const secretIn = (text: string | undefined, { mock }: Asked) =>
  text !== undefined && mock.keys.recognise(decodeURIComponent(text))?.tenant === 'acme';

const isJson = (bytes: Uint8Array) => jsonOrUndefined(new TextDecoder().decode(bytes)) !== undefined;

const queryOf = ({ request }: Asked) => new URLSearchParams(request.url.split('?')[1] ?? '');

export const auth: readonly Defect[] = [
  ...breaking('auth/no-key-is-403', {
    'auth/no-key-401': ['answers a request without a key with 401', withStatus('no-key', 401)],
    'auth/no-key-401-on-upload': [
      'answers a request without a key with 401 where an upload is started, and with 403 elsewhere',
      withStatus('no-key', 401, ({ id }) => id === 'startSiteFileUpload'),
    ],
    'auth/empty-key-401': [
      'answers an empty x-api-key with 401, and a missing one with 403',
      withStatus('no-key', 401, ({ request }) => request.headers['x-api-key'] === ''),
    ],
    'auth/no-key-lists-labels': [
      'lists labels to anybody',
      letIn((asked) => hasNoKey(asked) && asked.id === 'listLabels'),
    ],
    'auth/no-key-reads-context': [
      'shows a context to anybody',
      letIn((asked) => hasNoKey(asked) && asked.id === 'getConversationContext'),
    ],
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
      letIn((asked) => hasNoKey(asked) && asked.id === 'startSiteFileUpload'),
    ],
    'auth/no-key-health': [
      'answers the health endpoint without a key',
      letIn((asked) => hasNoKey(asked) && asked.id === 'getHealth'),
    ],
    'auth/body-is-parsed-first': [
      'answers a body that is not JSON with 400 before it looks for a key',
      onReply(({ id, request, refused }) =>
        id === 'startSiteFileUpload' && refused === 'no-key' && !isJson(bytesOf(request))
          ? errorWith(400, 'BAD_REQUEST')
          : undefined,
      ),
    ],
    'auth/label-is-looked-up-first': [
      'answers a label that does not exist with 404 before it looks for a key',
      onReply(({ refused, params, mock }) =>
        refused === 'no-key' && params.labelId && !mock.tenants.get('acme')?.records.labels.has(params.labelId)
          ? errorWith(404, 'NOT_FOUND')
          : undefined,
      ),
    ],
    'auth/no-key-403-but-applied': [
      'answers an apply without a key with 403, and applies the label all the same',
      onReply((answered) => {
        const write = answered.refused === 'no-key' ? labelWriteOf(answered, 'acme') : undefined;
        if (write?.does !== 'apply') return undefined;
        carryOut(write);
        return { ...answered.reply, headers: { ...answered.reply.headers, 'x-done': '1' } };
      }),
    ],
    'auth/no-key-403-but-removed-from-link': [
      'answers a removal without a key with 403, and takes the label off a link all the same',
      onReply((answered) => {
        const write = answered.refused === 'no-key' ? labelWriteOf(answered, 'acme') : undefined;
        if (write?.does !== 'remove' || write.on !== 'link') return undefined;
        carryOut(write);
        return { ...answered.reply, headers: { ...answered.reply.headers, 'x-done': '1' } };
      }),
    ],
  }),
  ...breaking('auth/unknown-key-is-403', {
    'auth/unknown-key-401': ['answers an unknown key with 401', withStatus('unknown-key', 401)],
    'auth/unknown-key-404-on-conversation': [
      'answers an unknown key with 404 where a conversation is asked for',
      withStatus('unknown-key', 404, ({ id }) => id === 'getConversation'),
    ],
    'auth/unknown-key-reads': [
      'shows a context to any key, also to an unknown one',
      letIn(
        ({ id, key, request }) =>
          id === 'getConversationContext' && key === undefined && Boolean(request.headers['x-api-key']),
      ),
    ],
    'auth/unknown-key-removes-site-label': [
      'lets an unknown key take a label off a site',
      letIn(
        ({ id, key, request }) =>
          id === 'removeSiteLabel' && key === undefined && Boolean(request.headers['x-api-key']),
      ),
    ],
    'auth/unknown-key-of-that-shape-401': [
      'answers a key that nobody has with 401 where it looks like one, and with 403 elsewhere',
      withStatus('unknown-key', 401, ({ request }) =>
        /^[a-z]{8}-fake-secret-\d{16}$/.test(request.headers['x-api-key'] ?? ''),
      ),
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
    'auth/revoked-key-works': ['goes on serving a revoked key', letIn(({ key }) => key?.revoked === true)],
    'auth/revoked-key-reads': [
      'serves reads from a cache that has not heard of the revocation',
      letIn(({ key, id }) => key?.revoked === true && id === 'getConversationContext'),
    ],
    'auth/revoked-key-applies-to-conversation': [
      'lets a revoked key apply a label to a conversation',
      letIn(({ key, id }) => key?.revoked === true && id === 'applyConversationLabel'),
    ],
    'auth/revoked-key-401': ['answers a revoked key with 401', withStatus('revoked-key', 401)],
  }),
  ...(
    [
      ['bearer-401', 'auth/bearer-is-not-supported', 'a Bearer token', /^Bearer /],
      ['basic-401', 'auth/header-is-required', 'Basic credentials', /^Basic /],
    ] as const
  ).map(
    ([id, breaks, what, scheme]): Defect => ({
      id: `auth/${id}`,
      breaks,
      does: `answers ${what} in place of a key with 401`,
      around: onReply(({ refused, request }) =>
        refused !== null &&
        request.headers['x-api-key'] === undefined &&
        scheme.test(request.headers.authorization ?? '')
          ? errorWith(401, 'UNAUTHORIZED')
          : undefined,
      ),
    }),
  ),
  ...breaking('auth/bearer-is-not-supported', {
    'auth/bearer-accepted': [
      'takes the key as a Bearer token as well',
      letIn((asked) => secretIn(/^Bearer (.*)$/.exec(asked.request.headers.authorization ?? '')?.[1], asked)),
    ],
    'auth/bearer-accepted-for-uploads': [
      'takes a Bearer token where an upload is started, and nowhere else',
      letIn(
        (asked) =>
          asked.id === 'startSiteFileUpload' &&
          secretIn(/^Bearer (.*)$/.exec(asked.request.headers.authorization ?? '')?.[1], asked),
      ),
    ],
    'auth/bearer-is-served-nothing': [
      'answers a Bearer token with an empty 200',
      onReply(({ refused }) => (refused === 'bearer-only' ? replyWith(200, {}) : undefined)),
    ],
  }),
  ...breaking('auth/header-is-required', {
    'auth/key-in-query-accepted': [
      'takes the key from the query string as well',
      letIn((asked) => hasNoKey(asked) && secretIn(queryOf(asked).get('x-api-key') ?? undefined, asked)),
    ],
    'auth/api-key-in-query-accepted': [
      'takes the key from the query string under the name api_key, for reads',
      letIn(
        (asked) =>
          hasNoKey(asked) &&
          asked.request.method === 'GET' &&
          secretIn(queryOf(asked).get('api_key') ?? undefined, asked),
      ),
    ],
    'auth/key-in-cookie-accepted': [
      'takes the key from a cookie as well',
      letIn((asked) => secretIn(/x-api-key=([^;]+)/.exec(asked.request.headers.cookie ?? '')?.[1], asked)),
    ],
    'auth/bare-authorization-accepted': [
      'takes the key from the Authorization header without a scheme',
      letIn((asked) => secretIn(asked.request.headers.authorization, asked)),
    ],
    'auth/api-key-scheme-accepted': [
      'takes the key from the Authorization header with the scheme ApiKey',
      letIn((asked) => secretIn(/^ApiKey (.*)$/i.exec(asked.request.headers.authorization ?? '')?.[1], asked)),
    ],
  }),
  ...breaking('auth/key-in-x-api-key', {
    'auth/valid-key-refused-on-upload': [
      'does not recognise a valid key where a request has a body',
      instead(({ id }) => (id === 'startSiteFileUpload' ? errorWith(401, 'UNAUTHORIZED') : undefined)),
    ],
    'auth/second-key-refused': [
      'knows one key per tenant and refuses every other',
      instead(({ key }) =>
        key !== undefined && !key.revoked && key.name.startsWith('only-conversation-read')
          ? errorWith(403, 'FORBIDDEN')
          : undefined,
      ),
    ],
    'auth/strangers-key-refused': [
      'refuses the valid reader of the second tenant',
      instead(({ key }) =>
        key?.tenant === 'globex' && key.name === 'reader' ? errorWith(403, 'FORBIDDEN') : undefined,
      ),
    ],
  }),
  ...breaking('auth/forbidden-has-the-error-body', {
    'auth/gateway-body-without-key': [
      'answers a missing key with a gateway body',
      onReply(({ refused }) => (refused === 'no-key' ? replyWith(403, { message: 'Forbidden' }) : undefined)),
    ],
    'auth/gateway-body-for-missing-scope': [
      'answers a missing scope with a gateway body',
      onReply(({ refused }) => (refused === 'missing-scope' ? replyWith(403, { message: 'Forbidden' }) : undefined)),
    ],
    'auth/gateway-body-for-unknown-key': [
      'answers an unknown key with a gateway body',
      onReply(({ refused }) => (refused === 'unknown-key' ? replyWith(403, { message: 'Forbidden' }) : undefined)),
    ],
    'auth/revoked-key-without-code': [
      'leaves the code out of the error body for a revoked key',
      onReply(({ refused }) =>
        refused === 'revoked-key' ? replyWith(403, { error: { message: 'This key was revoked.' } }) : undefined,
      ),
    ],
  }),
];
