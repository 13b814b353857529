import { asArray, each, objectOf, replyWith, withProperties } from '../../../mock/proof/tampering/json-value.ts';
import { as, onRequest } from '../../../mock/proof/tampering/tamper.ts';
import { answering, bodyOf, chain, onReplyTo, readingUrl, refusing, type When } from '../tampering/when.ts';
import { type LegalVariant, legal } from './legal-variant.ts';

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

/** Takes paths in either case and with a slash at the end. */
const forgivingRouter = onRequest(({ request }) => {
  const [path = '', ...query] = request.url.split('?');
  const routed = path
    .replace(/\/$/, '')
    .replace(/^\/V\d(?=\/)/, (version) => version.toLowerCase())
    .replace(/(?<=\/)[A-Z]+(?=\/|$)/g, (segment) => segment.toLowerCase());
  return routed === path ? undefined : { ...request, url: [routed, ...query].join('?') };
});

/** Deployments with other replies to odd, malformed and needless requests. */
export const oddInput: readonly LegalVariant[] = legal({
  'media-type-in-lower-case-alone': refusing(
    {
      id: 'startSiteFileUpload',
      usable: true,
      holds: 'siteFile:write',
      where: ({ request }) => /[A-Z]\w+\/JSON/.test(request.headers['content-type'] ?? ''),
    },
    415,
  ),
  'firewall-in-front': [
    'has a firewall in front that answers odd paths and ids with 403 and a page',
    chain(
      page(403, { refused: malformedId }),
      page(403, { refused: /^unknown-path|wrong-method/, where: ({ id }) => id === null }),
    ),
  ],
  'refuses-what-is-not-needed': [
    'refuses Authorization and X-Forwarded-For beside a key with 403, and with 400 and a page what has a query that is not documented',
    chain(
      answering(
        {
          usable: true,
          where: ({ request: { headers } }) => headers.authorization === 'Bearer x' || headers['x-forwarded-for'],
        },
        () => replyWith(403, { message: 'Forbidden' }),
      ),
      answering({ usable: true, url: /\?x=\d+$/ }, () => ({ status: 400, ...rejected })),
    ),
  ],
  'bodies-where-none-is-needed-are-400': refusing(
    { where: ({ id, request }) => /Label$/.test(id ?? '') && request.body !== null },
    400,
  ),
  'malformed-ids-match-no-route': page(404, { refused: malformedId }),
  'malformed-labels-are-gone-already': [
    'answers the removal of a label that cannot exist with the unchanged set',
    // The id in upper case names an existing label, and no record of the target carries the removed label.
    onReplyTo(
      { method: 'DELETE', refused: /^(malformed|unknown)-label(-id)?$/, url: /^[^A-Z]*$/ },
      ({ request, ask, mock, key }) => {
        const url = request.url.replace(/[^/]+$/, '1abe1005-0000-4000-8000-000000000005');
        // With a key of its own, so that the one that asked pays once.
        return ask(as(mock, { ...request, url }, key?.tenant ?? ''));
      },
    ),
  ],
  'one-500-in-a-hundred': [
    'answers every hundredth request with a documented 500, and does nothing',
    refusing({ where: ({ id }) => id !== 'storage', every: 100 }, 500),
  ],
  'length-required': refusing(
    {
      id: 'startSiteFileUpload',
      where: ({ request, key }) => key !== undefined && request.body !== null && !request.headers['content-length'],
    },
    411,
  ),
  'forgiving-router': forgivingRouter,
  'health-without-version': [
    'serves its health without /v1 as well, and a page at every unknown path',
    chain(readingUrl(/^\/health$/, '/v1/health'), page(200, { refused: 'unknown-path' })),
  ],
  'registered-with-a-name': {
    around: refusing(
      { id: 'registerSiteFile', holds: 'siteFile:write', where: (asked) => bodyOf(asked).name === undefined },
      422,
      'A name is missing.',
    ),
    unjudged: ['upload/register-takes-file-key'],
  },
  'registered-without-a-body': onReplyTo({ id: 'registerSiteFile', ok: true }, () => ({
    status: 204,
    headers: {},
    body: null,
  })),
  'names-the-conversation-in-its-context': [
    'gives a context the id of its conversation, and lists the conversation among those of its sites',
    onReplyTo({ id: 'getConversationContext', ok: true }, ({ reply, params: { id = '' } }) => {
      const { sites, subject = '', status = '' } = objectOf(reply);
      const itself = { friendlyId: 'A-1', conversationId: id, subject, status };
      return withProperties(reply, {
        id,
        sites: each(sites, ({ associatedConversations, ...site }) => ({
          ...site,
          associatedConversations: [...asArray(associatedConversations), itself],
        })),
      });
    }),
  ],
});
