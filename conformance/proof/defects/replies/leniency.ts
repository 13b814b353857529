import { errorWith, replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import { onReply, onRequest, withBody } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';

const asText = (which: readonly string[]) =>
  onReply(({ id, ok, reply }) =>
    ok && id !== null && which.includes(id) ? { ...reply, body: `record ${reply.body}` } : undefined,
  );

/** Faults of all operations at once: each law must see them wherever it looks. */
export const leniency: readonly Defect[] = [
  ...breaking('ids/site-id', {
    'ids/empty-site-id-served': [
      'takes an empty site id for the first site there is',
      onRequest(({ request }) =>
        request.url.startsWith('/v1/site//')
          ? { ...request, url: request.url.replace('/v1/site//', '/v1/site/10042/') }
          : undefined,
      ),
    ],
  }),
  ...breaking('ids/malformed-is-refused', {
    'ids/any-label-id-succeeds': [
      'answers 200 to every write of a label whose id is no UUID',
      onReply(({ refused }) =>
        refused === 'malformed-label-id' ? replyWith(200, { siteId: '10042', labels: [] }) : undefined,
      ),
    ],
  }),
  ...breaking('transport/json-both-ways', {
    'transport/records-are-text': [
      'answers records and upload targets as text',
      asText(['getConversation', 'getSite', 'getClient', 'startSiteFileUpload']),
    ],
    'transport/listing-is-text-after-the-first': [
      'lists labels in JSON once, and then as text',
      (scene) => {
        let listed = 0;
        return onReply(({ id, ok, reply }) => {
          if (id !== 'listLabels' || !ok || listed++ === 0) return undefined;
          return { ...reply, body: `record ${reply.body}` };
        })(scene);
      },
    ],
  }),
  ...breaking('errors/upload-statuses-are-declared', {
    'errors/upload-refuses-with-418': [
      'answers every refusal of a start with 418',
      onReply(({ id, refused }) =>
        id === 'startSiteFileUpload' && refused !== null && refused !== 'throttled'
          ? errorWith(418, 'TEAPOT')
          : undefined,
      ),
    ],
    'errors/keyless-upload-refused-with-407': [
      'answers a start without a valid key with 407',
      onReply(({ id, request, refused }) =>
        (id === 'startSiteFileUpload' || request.url.endsWith('/upload-url')) && /-key$/.test(refused ?? '')
          ? errorWith(407, 'PROXY')
          : undefined,
      ),
    ],
  }),
  ...breaking('upload/content-type-is-required', {
    'upload/body-is-not-looked-at': [
      'starts an upload whatever the body is, or without one',
      onReply(({ id, reply, request, ask }) =>
        id === 'startSiteFileUpload' && [400, 415, 422].includes(reply.status)
          ? ask(
              withBody(
                { ...request, headers: { ...request.headers, 'content-type': 'application/json' } },
                '{"contentType":"text/plain"}',
              ),
            )
          : undefined,
      ),
    ],
  }),
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
