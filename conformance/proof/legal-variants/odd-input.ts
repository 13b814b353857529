import {
  asArray,
  asObject,
  errorWith,
  jsonOf,
  objectOf,
  withProperties,
} from '../../../mock/proof/tampering/json-value.ts';
import { as, bytesOf, instead, onReply, onRequest } from '../../../mock/proof/tampering/tamper.ts';
import { chain, type LegalVariant } from './legal-variant.ts';

const page = (status: number) => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Request rejected</title>',
});

const isMalformedId = (refused: string | null) => /^malformed-(conversation|client|label)-id$/.test(refused ?? '');

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
    around: instead((asked) =>
      asked.id === 'startSiteFileUpload' &&
      asked.key?.revoked === false &&
      asked.key.scopes.has('siteFile:write') &&
      /[A-Z]\w+\/JSON/.test(asked.request.headers['content-type'] ?? '')
        ? errorWith(415, 'UNSUPPORTED_MEDIA_TYPE')
        : undefined,
    ),
  },
  {
    id: 'firewall-in-front',
    does: 'has a firewall in front that answers odd paths and ids with 403 and a page',
    around: onReply(({ refused, id }) =>
      isMalformedId(refused) || (id === null && /^unknown-path|wrong-method/.test(refused ?? ''))
        ? page(403)
        : undefined,
    ),
  },
  {
    id: 'malformed-ids-match-no-route',
    does: "answers ids of another form with its router's page for 404",
    around: onReply(({ refused }) => (isMalformedId(refused) ? page(404) : undefined)),
  },
  {
    id: 'malformed-labels-are-gone-already',
    does: 'answers the removal of a label that cannot exist with the unchanged set',
    around: onReply(({ refused, request, ask, mock, key }) =>
      // The id in upper case names an existing label, and no record of the target carries the removed label.
      /^(malformed|unknown)-label(-id)?$/.test(refused ?? '') &&
      request.method === 'DELETE' &&
      !/[A-Z]/.test(request.url)
        ? // With a key of its own, so that the one that asked pays once.
          ask(
            as(
              mock,
              { ...request, url: request.url.replace(/[^/]+$/, '1abe1005-0000-4000-8000-000000000005') },
              key?.tenant ?? '',
            ),
          )
        : undefined,
    ),
  },
  {
    id: 'one-500-in-a-hundred',
    does: 'answers every hundredth request with a documented 500, and does nothing',
    around: (scene) => {
      let asked = 0;
      return instead(({ id }) =>
        id !== 'storage' && ++asked % 100 === 0 ? errorWith(500, 'INTERNAL_SERVER_ERROR') : undefined,
      )(scene);
    },
  },
  {
    id: 'length-required',
    does: 'answers 411 to bodies whose length is not announced',
    around: instead(({ id, request, key }) =>
      id === 'startSiteFileUpload' && key !== undefined && request.body !== null && !request.headers['content-length']
        ? errorWith(411, 'LENGTH_REQUIRED')
        : undefined,
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
    around: chain(
      onRequest(({ request }) => (request.url === '/health' ? { ...request, url: '/v1/health' } : undefined)),
      onReply(({ refused }) => (refused === 'unknown-path' ? page(200) : undefined)),
    ),
  },
  {
    id: 'registered-with-a-name',
    does: 'registers only what has a name, and answers 422 otherwise',
    around: instead((asked) =>
      asked.id === 'registerSiteFile' &&
      asked.key?.scopes.has('siteFile:write') &&
      asObject(jsonOf(new TextDecoder().decode(bytesOf(asked.request)))).name === undefined
        ? errorWith(422, 'UNPROCESSABLE_ENTITY', 'A name is missing.')
        : undefined,
    ),
    unjudged: ['upload/register-takes-file-key'],
  },
  {
    id: 'registered-without-a-body',
    does: 'answers a registration with 204 and no body',
    around: onReply(({ id, ok, reply }) =>
      id === 'registerSiteFile' && ok ? { ...reply, status: 204, headers: {}, body: null } : undefined,
    ),
  },
  {
    id: 'names-the-conversation-in-its-context',
    does: 'gives a context the id of its conversation, and lists the conversation among those of its sites',
    around: onReply(({ id, ok, reply, params }) => {
      if (id !== 'getConversationContext' || !ok) return undefined;
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
