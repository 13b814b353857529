import { asArray, asObject, objectOf, replyWith, withProperties } from '../../../mock/proof/tampering/json-value.ts';
import { as, onRequest } from '../../../mock/proof/tampering/tamper.ts';
import {
  answering,
  bodyOf,
  chain,
  onReplyTo,
  readingUrl,
  refusing,
  type When,
  withStatus,
  withText,
} from '../tampering/when.ts';
import type { LegalVariant } from './legal-variant.ts';

/** What no lawful client sends: characters that ids of ours need not have, and other spellings of a path. */
const isOddPath = (url: string) => /%(?:00|25|2A)|\*|\/\/|\/V1/.test(new URL(url, 'http://any').pathname);

/** Answers a page in place of some replies. */
const page = (status: number, when: When) =>
  chain(
    withText(when, () => '<!doctype html><title>Request rejected</title>', 'text/html; charset=utf-8'),
    withStatus(when, status),
  );

const malformedId = /^malformed-(conversation|client|label)-id$/;

/** The path that a lenient router takes for the requested one. */
const routedAs = (change: (path: string) => string) =>
  onRequest(({ request }) => {
    const [path = '', query] = request.url.split('?');
    const url = query === undefined ? change(path) : `${change(path)}?${query}`;
    return url === request.url ? undefined : { ...request, url };
  });

/** Deployments with other replies to odd, malformed and needless requests. */
export const oddInput: readonly LegalVariant[] = [
  {
    id: 'media-type-in-lower-case-alone',
    does: 'accepts application/json in lower case only',
    around: refusing(
      {
        id: 'startSiteFileUpload',
        where: (asked) =>
          asked.key?.revoked === false &&
          asked.key?.scopes.has('siteFile:write') &&
          /[A-Z]\w+\/JSON/.test(asked.request.headers['content-type'] ?? ''),
      },
      415,
    ),
  },
  {
    id: 'firewall-in-front',
    does: 'has a firewall in front that answers odd paths and ids with 403 and a page',
    around: chain(
      page(403, { refused: malformedId }),
      page(403, { refused: /^unknown-path|wrong-method/, where: ({ id }) => id === null }),
    ),
  },
  ...[400, 403, 404].map(
    (status): LegalVariant => ({
      id: `front-refuses-odd-spellings-with-${status}`,
      does: `has a front server that answers ${status} in JSON of its own to paths that no lawful client sends: %00, %, * and two slashes`,
      around: answering({ where: ({ request }) => isOddPath(request.url) }, () =>
        replyWith(status, { timestamp: 1, status, error: 'Refused', path: 'not shown' }),
      ),
    }),
  ),
  {
    id: 'refuses-what-is-not-needed',
    does: 'refuses Authorization and X-Forwarded-For beside a key with 403, and with 400 and a page what has a query that is not documented',
    around: chain(
      answering(
        {
          usable: true,
          where: ({ request: { headers } }) => headers.authorization === 'Bearer x' || headers['x-forwarded-for'],
        },
        () => replyWith(403, { message: 'Forbidden' }),
      ),
      answering({ usable: true, where: ({ request }) => /\?x=\d+$/.test(request.url) }, () => ({
        status: 400,
        headers: { 'content-type': 'text/html' },
        body: '<!doctype html><title>Bad request</title>',
      })),
    ),
  },
  {
    id: 'bodies-where-none-is-needed-are-400',
    does: 'answers 400 to bodies of requests that need none',
    around: refusing(
      { where: ({ id, request }) => id !== 'storage' && /Label$/.test(id ?? '') && request.body !== null },
      400,
    ),
  },
  {
    id: 'malformed-ids-match-no-route',
    does: "answers ids of another form with its router's page for 404",
    around: page(404, { refused: malformedId }),
  },
  {
    id: 'malformed-labels-are-gone-already',
    does: 'answers the removal of a label that cannot exist with the unchanged set',
    // The id in upper case names an existing label, and no record of the target carries the removed label.
    around: onReplyTo(
      {
        method: 'DELETE',
        refused: /^(malformed|unknown)-label(-id)?$/,
        where: ({ request }) => !/[A-Z]/.test(request.url),
      },
      ({ request, ask, mock, key }) => {
        const url = request.url.replace(/[^/]+$/, '1abe1005-0000-4000-8000-000000000005');
        // With a key of its own, so that the one that asked pays once.
        return ask(as(mock, { ...request, url }, key?.tenant ?? ''));
      },
    ),
  },
  {
    id: 'one-500-in-a-hundred',
    does: 'answers every hundredth request with a documented 500, and does nothing',
    around: (scene) => {
      let asked = 0;
      return refusing({ where: ({ id }) => id !== 'storage' && ++asked % 100 === 0 }, 500)(scene);
    },
  },
  {
    id: 'length-required',
    does: 'answers 411 to bodies whose length is not announced',
    around: refusing(
      {
        id: 'startSiteFileUpload',
        where: ({ request, key }) => key !== undefined && request.body !== null && !request.headers['content-length'],
      },
      411,
    ),
  },
  {
    id: 'forgiving-router',
    does: 'takes paths in either case and with a slash at the end',
    around: routedAs((path) =>
      path
        .replace(/\/$/, '')
        .replace(/^\/V\d(?=\/)/, (version) => version.toLowerCase())
        .replace(/(?<=\/)[A-Z]+(?=\/|$)/g, (segment) => segment.toLowerCase()),
    ),
  },
  {
    id: 'health-without-version',
    does: 'serves its health without /v1 as well, and a page at every unknown path',
    around: chain(readingUrl(/^\/health$/, '/v1/health'), page(200, { refused: 'unknown-path' })),
  },
  {
    id: 'registered-with-a-name',
    does: 'registers only what has a name, and answers 422 otherwise',
    around: refusing(
      {
        id: 'registerSiteFile',
        where: (asked) => asked.key?.scopes.has('siteFile:write') && bodyOf(asked).name === undefined,
      },
      422,
      'A name is missing.',
    ),
    unjudged: ['upload/register-takes-file-key'],
  },
  {
    id: 'registered-without-a-body',
    does: 'answers a registration with 204 and no body',
    around: onReplyTo({ id: 'registerSiteFile', ok: true }, ({ reply }) => ({
      ...reply,
      status: 204,
      headers: {},
      body: null,
    })),
  },
  {
    id: 'names-the-conversation-in-its-context',
    does: 'gives a context the id of its conversation, and lists the conversation among those of its sites',
    around: onReplyTo({ id: 'getConversationContext', ok: true }, ({ reply, params }) => {
      const { sites, subject = '', status = '' } = objectOf(reply);
      const itself = { friendlyId: 'A-1', conversationId: params.id ?? '', subject, status };
      return withProperties(reply, {
        id: params.id,
        sites: asArray(sites).map((site) => {
          const { associatedConversations } = asObject(site);
          return { ...asObject(site), associatedConversations: [...asArray(associatedConversations), itself] };
        }),
      });
    }),
  },
];
