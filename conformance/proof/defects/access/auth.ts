import { errorWith, replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Answered, type Asked, as, instead, onReply, onRequest } from '../../../../mock/proof/tampering/tamper.ts';
import type { Defect } from '../../tampering/defect.ts';
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

const queryOf = ({ request }: Asked) => new URLSearchParams(request.url.split('?')[1] ?? '');

export const auth: readonly Defect[] = [
  {
    id: 'auth/no-key-401',
    breaks: 'auth/no-key-is-403',
    does: 'answers a request without a key with 401',
    around: withStatus('no-key', 401),
  },
  {
    id: 'auth/no-key-401-on-upload',
    breaks: 'auth/no-key-is-403',
    does: 'answers a request without a key with 401 where an upload is started, and with 403 elsewhere',
    around: withStatus('no-key', 401, ({ id }) => id === 'startSiteFileUpload'),
  },
  {
    id: 'auth/empty-key-401',
    breaks: 'auth/no-key-is-403',
    does: 'answers an empty x-api-key with 401, and a missing one with 403',
    around: withStatus('no-key', 401, ({ request }) => request.headers['x-api-key'] === ''),
  },
  {
    id: 'auth/no-key-lists-labels',
    breaks: 'auth/no-key-is-403',
    does: 'lists labels to anybody',
    around: letIn((asked) => hasNoKey(asked) && asked.id === 'listLabels'),
  },
  {
    id: 'auth/no-key-reads-context',
    breaks: 'auth/no-key-is-403',
    does: 'shows a context to anybody',
    around: letIn((asked) => hasNoKey(asked) && asked.id === 'getConversationContext'),
  },
  {
    id: 'auth/no-key-starts-upload',
    breaks: 'auth/no-key-is-403',
    does: 'lets anybody start an upload',
    around: letIn((asked) => hasNoKey(asked) && asked.id === 'startSiteFileUpload'),
  },
  {
    id: 'auth/no-key-health',
    breaks: 'auth/no-key-is-403',
    does: 'answers the health endpoint without a key',
    around: letIn((asked) => hasNoKey(asked) && asked.id === 'getHealth'),
  },
  {
    id: 'auth/no-key-403-but-applied',
    breaks: 'auth/no-key-is-403',
    does: 'answers an apply without a key with 403, and applies the label all the same',
    around: onReply((answered) => {
      const write = answered.refused === 'no-key' ? labelWriteOf(answered, 'acme') : undefined;
      if (write?.does !== 'apply') return undefined;
      carryOut(write);
      return { ...answered.reply, headers: { ...answered.reply.headers, 'x-done': '1' } };
    }),
  },
  {
    id: 'auth/no-key-403-but-removed-from-link',
    breaks: 'auth/no-key-is-403',
    does: 'answers a removal without a key with 403, and takes the label off a link all the same',
    around: onReply((answered) => {
      const write = answered.refused === 'no-key' ? labelWriteOf(answered, 'acme') : undefined;
      if (write?.does !== 'remove' || write.on !== 'link') return undefined;
      carryOut(write);
      return { ...answered.reply, headers: { ...answered.reply.headers, 'x-done': '1' } };
    }),
  },
  {
    id: 'auth/unknown-key-401',
    breaks: 'auth/unknown-key-is-403',
    does: 'answers an unknown key with 401',
    around: withStatus('unknown-key', 401),
  },
  {
    id: 'auth/unknown-key-404-on-conversation',
    breaks: 'auth/unknown-key-is-403',
    does: 'answers an unknown key with 404 where a conversation is asked for',
    around: withStatus('unknown-key', 404, ({ id }) => id === 'getConversation'),
  },
  {
    id: 'auth/unknown-key-reads',
    breaks: 'auth/unknown-key-is-403',
    does: 'asks of a key only that it is there: an unknown one reads a context',
    around: letIn(
      ({ id, key, request }) =>
        id === 'getConversationContext' && key === undefined && Boolean(request.headers['x-api-key']),
    ),
  },
  {
    id: 'auth/unknown-key-removes-site-label',
    breaks: 'auth/unknown-key-is-403',
    does: 'lets an unknown key take a label off a site',
    around: letIn(
      ({ id, key, request }) => id === 'removeSiteLabel' && key === undefined && Boolean(request.headers['x-api-key']),
    ),
  },
  {
    id: 'auth/revoked-key-works',
    breaks: 'auth/revoked-key-is-403',
    does: 'goes on serving a revoked key',
    around: letIn(({ key }) => key?.revoked === true),
  },
  {
    id: 'auth/revoked-key-reads',
    breaks: 'auth/revoked-key-is-403',
    does: 'serves reads from a cache that has not heard of the revocation',
    around: letIn(({ key, id }) => key?.revoked === true && id === 'getConversationContext'),
  },
  {
    id: 'auth/revoked-key-applies-to-conversation',
    breaks: 'auth/revoked-key-is-403',
    does: 'lets a revoked key apply a label to a conversation',
    around: letIn(({ key, id }) => key?.revoked === true && id === 'applyConversationLabel'),
  },
  {
    id: 'auth/revoked-key-401',
    breaks: 'auth/revoked-key-is-403',
    does: 'answers a revoked key with 401',
    around: withStatus('revoked-key', 401),
  },
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
  {
    id: 'auth/bearer-accepted',
    breaks: 'auth/bearer-is-not-supported',
    does: 'takes the key as a Bearer token as well',
    around: letIn((asked) => secretIn(/^Bearer (.*)$/.exec(asked.request.headers.authorization ?? '')?.[1], asked)),
  },
  {
    id: 'auth/bearer-accepted-for-uploads',
    breaks: 'auth/bearer-is-not-supported',
    does: 'takes a Bearer token where an upload is started, and nowhere else',
    around: letIn(
      (asked) =>
        asked.id === 'startSiteFileUpload' &&
        secretIn(/^Bearer (.*)$/.exec(asked.request.headers.authorization ?? '')?.[1], asked),
    ),
  },
  {
    id: 'auth/bearer-is-served-nothing',
    breaks: 'auth/bearer-is-not-supported',
    does: 'answers a Bearer token with an empty 200',
    around: onReply(({ refused }) => (refused === 'bearer-only' ? replyWith(200, {}) : undefined)),
  },
  {
    id: 'auth/key-in-query-accepted',
    breaks: 'auth/header-is-required',
    does: 'takes the key from the query string as well',
    around: letIn((asked) => hasNoKey(asked) && secretIn(queryOf(asked).get('x-api-key') ?? undefined, asked)),
  },
  {
    id: 'auth/api-key-in-query-accepted',
    breaks: 'auth/header-is-required',
    does: 'takes the key from the query string under the name api_key, for reads',
    around: letIn(
      (asked) =>
        hasNoKey(asked) &&
        asked.request.method === 'GET' &&
        secretIn(queryOf(asked).get('api_key') ?? undefined, asked),
    ),
  },
  {
    id: 'auth/key-in-cookie-accepted',
    breaks: 'auth/header-is-required',
    does: 'takes the key from a cookie as well',
    around: letIn((asked) => secretIn(/x-api-key=([^;]+)/.exec(asked.request.headers.cookie ?? '')?.[1], asked)),
  },
  {
    id: 'auth/bare-authorization-accepted',
    breaks: 'auth/header-is-required',
    does: 'takes the key from the Authorization header without a scheme',
    around: letIn((asked) => secretIn(asked.request.headers.authorization, asked)),
  },
  {
    id: 'auth/unknown-key-of-that-shape-401',
    breaks: 'auth/unknown-key-is-403',
    does: 'answers a key that nobody has with 401 where it looks like one, and with 403 elsewhere',
    around: withStatus('unknown-key', 401, ({ request }) =>
      /^[a-z]{8}-fake-secret-\d{16}$/.test(request.headers['x-api-key'] ?? ''),
    ),
  },
  {
    id: 'auth/key-with-a-tail',
    breaks: 'auth/unknown-key-is-403',
    does: 'ignores what follows a valid key',
    around: onRequest(({ request, key, mock }) => {
      const begins = (request.headers['x-api-key'] ?? '').slice(0, -1);
      return key === undefined && mock.keys.recognise(begins) !== undefined
        ? { ...request, headers: { ...request.headers, 'x-api-key': begins } }
        : undefined;
    }),
  },
  {
    id: 'auth/api-key-scheme-accepted',
    breaks: 'auth/header-is-required',
    does: 'takes the key from the Authorization header with the scheme ApiKey',
    around: letIn((asked) => secretIn(/^ApiKey (.*)$/i.exec(asked.request.headers.authorization ?? '')?.[1], asked)),
  },
  {
    id: 'auth/valid-key-refused-on-upload',
    breaks: 'auth/key-in-x-api-key',
    does: 'does not recognise a valid key where a request has a body',
    around: instead(({ id }) => (id === 'startSiteFileUpload' ? errorWith(401, 'UNAUTHORIZED') : undefined)),
  },
  {
    id: 'auth/second-key-refused',
    breaks: 'auth/key-in-x-api-key',
    does: 'knows one key per tenant and refuses every other',
    around: instead(({ key }) =>
      key !== undefined && !key.revoked && key.name.startsWith('only-conversation-read')
        ? errorWith(403, 'FORBIDDEN')
        : undefined,
    ),
  },
  {
    id: 'auth/strangers-key-refused',
    breaks: 'auth/key-in-x-api-key',
    does: 'refuses the valid reader of the second tenant',
    around: instead(({ key }) =>
      key?.tenant === 'globex' && key.name === 'reader' ? errorWith(403, 'FORBIDDEN') : undefined,
    ),
  },
  {
    id: 'auth/gateway-body-without-key',
    breaks: 'auth/forbidden-has-the-error-body',
    does: 'answers a missing key with a gateway body',
    around: onReply(({ refused }) => (refused === 'no-key' ? replyWith(403, { message: 'Forbidden' }) : undefined)),
  },
  {
    id: 'auth/gateway-body-for-missing-scope',
    breaks: 'auth/forbidden-has-the-error-body',
    does: 'answers a missing scope with a gateway body',
    around: onReply(({ refused }) =>
      refused === 'missing-scope' ? replyWith(403, { message: 'Forbidden' }) : undefined,
    ),
  },
  {
    id: 'auth/gateway-body-for-unknown-key',
    breaks: 'auth/forbidden-has-the-error-body',
    does: 'answers an unknown key with a gateway body',
    around: onReply(({ refused }) =>
      refused === 'unknown-key' ? replyWith(403, { message: 'Forbidden' }) : undefined,
    ),
  },
  {
    id: 'auth/revoked-key-without-code',
    breaks: 'auth/forbidden-has-the-error-body',
    does: 'leaves the code out of the error body for a revoked key',
    around: onReply(({ refused }) =>
      refused === 'revoked-key' ? replyWith(403, { error: { message: 'This key was revoked.' } }) : undefined,
    ),
  },
];
