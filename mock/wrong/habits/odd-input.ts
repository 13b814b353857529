import { type LegalVariant, legal } from '../tampering/defect.ts';
import { onRequest } from '../tampering/tamper.ts';
import { chain, inReply, onReplyTo, readingUrl, refusing, type When, withText } from '../tampering/when.ts';

const rejected = {
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Request rejected</title>',
};

/** Answers a page in place of some replies. */
const page = (status: number, when: When) =>
  onReplyTo(when, ({ reply }) => ({
    ...reply,
    status,
    body: rejected.body,
    headers: { ...reply.headers, ...rejected.headers },
  }));

const malformedId = /^malformed-(conversation|client|label)-id$/;

const removals = {
  removeConversationLabel: { path: '/v1/conversation/{id}/labels/{labelId}' },
  removeSiteLabel: { path: '/v1/labels/{labelId}/sites/{id}' },
  removeClientSiteLabel: { method: 'POST', path: '/v1/client/{clientId}/site/{siteId}/label/{labelId}/remove' },
} as const;

/** Takes paths in either case and with a slash at the end. */
const forgivingRouter = onRequest(({ request }) => {
  const [path = '', ...query] = request.url.split('?');
  const routed = path
    .replace(/\/$/, '')
    .replace(/^\/V\d(?=\/)/, (version) => version.toLowerCase())
    .replace(/(?<=\/)[A-Z]+(?=\/|$)/g, (segment) => segment.toLowerCase());
  return routed === path ? undefined : { ...request, url: [routed, ...query].join('?') };
});

/** Deployments with other replies to odd, malformed and needless requests, and other stores. */
export const oddInput: readonly LegalVariant[] = legal({
  'bodies-where-none-is-needed-are-400': refusing(
    { where: ({ id, request }) => /Label$/.test(id ?? '') && request.body !== null },
    400,
  ),
  'malformed-ids-match-no-route': page(404, { refused: malformedId }),
  'forgiving-router': forgivingRouter,
  'health-without-version': [
    'serves its health without /v1 as well, and a page at every unknown path',
    chain(readingUrl(/^\/health$/, '/v1/health'), page(200, { refused: 'unknown-path' })),
  ],
  'nothing-in-a-closed-context': {
    around: withText({ id: 'getConversationContext', ok: true, record: 'closed' }, '{}'),
    unjudged: ['context/get-answers-context'],
  },
  'labels-removed-elsewhere': [
    'removes labels with methods and at paths that the target file does not give',
    {
      options: () => ({ profile: { operations: removals } }),
      target: ({ operations, ...target }) => ({
        ...target,
        operations: Object.fromEntries(Object.entries(operations ?? {}).filter(([id]) => !Object.hasOwn(removals, id))),
      }),
      unjudged: 'any',
    },
  ],
  'many-numbered-sites': [
    'has a fifth of all numbers of 32 bits for sites',
    readingUrl(/^(\/v1\/site\/)\d{8,9}[37](?=\/file\/upload-url)/, '$110042'),
  ],
  'expiry-with-offset': inReply({ id: 'startSiteFileUpload', ok: true }, ({ uploadUrlExpiresAt }) => {
    const local = new Date(Date.parse(String(uploadUrlExpiresAt)) - 5 * 3_600_000).toISOString();
    return { uploadUrlExpiresAt: local.replace('Z', '000-05:00') };
  }),
  'register-anything': [
    'registers a file whose bytes never came, and again, each time with 200',
    {
      options: () => ({
        profile: {
          upload: {
            putStatus: 201,
            registerStatus: 200,
            registerTwice: { status: 200 },
            registerBeforePut: { status: 200 },
          },
        },
      }),
    },
  ],
});
