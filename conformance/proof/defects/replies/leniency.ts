import { errorWith, replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import { onReply, onRequest, withBody } from '../../../../mock/proof/tampering/tamper.ts';
import type { Defect } from '../../tampering/defect.ts';

const asText = (which: readonly string[]) =>
  onReply(({ id, ok, reply }) =>
    ok && id !== null && which.includes(id) ? { ...reply, body: `record ${reply.body}` } : undefined,
  );

/** Faults of all operations at once: each law must see them wherever it looks. */
export const leniency: readonly Defect[] = [
  {
    id: 'ids/empty-site-id-served',
    breaks: 'ids/site-id',
    does: 'takes an empty site id for the first site there is',
    around: onRequest(({ request }) =>
      request.url.startsWith('/v1/site//')
        ? { ...request, url: request.url.replace('/v1/site//', '/v1/site/10042/') }
        : undefined,
    ),
  },
  {
    id: 'ids/any-label-id-succeeds',
    breaks: 'ids/malformed-is-refused',
    does: 'answers 200 to every write of a label whose id is no UUID',
    around: onReply(({ refused }) =>
      refused === 'malformed-label-id' ? replyWith(200, { siteId: '10042', labels: [] }) : undefined,
    ),
  },
  {
    id: 'transport/records-are-text',
    breaks: 'transport/json-both-ways',
    does: 'answers records and upload targets as text',
    around: asText(['getConversation', 'getSite', 'getClient', 'startSiteFileUpload']),
  },
  {
    id: 'transport/listing-is-text-after-the-first',
    breaks: 'transport/json-both-ways',
    does: 'lists labels in JSON once, and then as text',
    around: (scene) => {
      let listed = 0;
      return onReply(({ id, ok, reply }) => {
        if (id !== 'listLabels' || !ok || listed++ === 0) return undefined;
        return { ...reply, body: `record ${reply.body}` };
      })(scene);
    },
  },
  {
    id: 'errors/upload-refuses-with-418',
    breaks: 'errors/upload-statuses-are-declared',
    does: 'answers every refusal of a start with 418',
    around: onReply(({ id, refused }) =>
      id === 'startSiteFileUpload' && refused !== null && refused !== 'throttled'
        ? errorWith(418, 'TEAPOT')
        : undefined,
    ),
  },
  {
    id: 'errors/keyless-upload-refused-with-407',
    breaks: 'errors/upload-statuses-are-declared',
    does: 'answers a start without a valid key with 407',
    around: onReply(({ id, request, refused }) =>
      (id === 'startSiteFileUpload' || request.url.endsWith('/upload-url')) && /-key$/.test(refused ?? '')
        ? errorWith(407, 'PROXY')
        : undefined,
    ),
  },
  {
    id: 'upload/body-is-not-looked-at',
    breaks: 'upload/content-type-is-required',
    does: 'starts an upload whatever the body is, or without one',
    around: onReply(({ id, reply, request, ask }) =>
      id === 'startSiteFileUpload' && [400, 415, 422].includes(reply.status)
        ? ask(
            withBody(
              { ...request, headers: { ...request.headers, 'content-type': 'application/json' } },
              '{"contentType":"text/plain"}',
            ),
          )
        : undefined,
    ),
  },
  {
    id: 'versioning/paths-without-version',
    breaks: 'versioning/v1-prefix',
    does: 'has operations on labels of a conversation at paths without a version',
    target: (target) => ({
      ...target,
      operations: {
        ...target.operations,
        applyConversationLabel: { path: '/conversation/{id}/label/{labelId}' },
        removeConversationLabel: { path: '/conversation/{id}/label/{labelId}' },
      },
    }),
    around: onRequest(({ request }) =>
      request.url.startsWith('/conversation/') ? { ...request, url: `/v1${request.url}` } : undefined,
    ),
  },
];
