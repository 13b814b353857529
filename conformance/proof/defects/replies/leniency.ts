import { breaking, type Defect } from '../../tampering/defect.ts';
import { failing, readingUrl, type When, withStatus, withText } from '../../tampering/when.ts';

const asText = (when: When) => withText({ ...when, ok: true }, (body) => `record ${body}`);

/** Faults of all operations at once: each law must see them wherever it looks. */
export const leniency: readonly Defect[] = [
  ...breaking('ids/site-id', {
    'ids/empty-site-id-served': [
      'takes an empty site id for the first site there is',
      readingUrl(/^\/v1\/site\/\//, '/v1/site/10042/'),
    ],
  }),
  ...breaking('transport/json-both-ways', {
    'transport/records-are-text': [
      'answers records and upload targets as text',
      asText({ id: ['getConversation', 'getSite', 'getClient', 'startSiteFileUpload'] }),
    ],
    'transport/listing-is-text-after-the-first': [
      'lists labels in JSON once, and then as text',
      (scene) => {
        let listed = 0;
        return asText({ id: 'listLabels', where: () => listed++ !== 0 })(scene);
      },
    ],
  }),
  ...breaking('errors/upload-statuses-are-declared', {
    'errors/keyless-upload-refused-with-407': [
      'answers a start without a valid key with 407',
      failing({ refused: /-key$/, where: ({ request }) => request.url.endsWith('/upload-url') }, 407),
    ],
  }),
  ...breaking('labels/listing-gives-public-labels', {
    'labels/listed-with-410': ['lists labels with 410', withStatus({ id: 'listLabels', ok: true }, 410)],
  }),
  ...breaking('labels/site-apply', {
    'labels/site-set-with-418': [
      'applies a label to a site, and answers 418 with the set of labels',
      withStatus({ id: 'applySiteLabel', ok: true }, 418),
    ],
  }),
  ...breaking('upload/start-is-201', {
    'upload/started-with-303': [
      'answers a start with 303, target and all, where the site is one of the first tenant',
      withStatus({ id: 'startSiteFileUpload', ok: true, tenant: 'acme' }, 303),
    ],
  }),
  ...breaking('upload/put-accepts-bytes', {
    'upload/put-with-403': [
      'stores the bytes that are put, and answers 403',
      withStatus({ id: 'storage', ok: true }, 403),
    ],
  }),
  ...breaking('upload/register-takes-file-key', {
    'upload/registered-with-409': [
      'registers a file, and answers 409',
      withStatus({ id: 'registerSiteFile', ok: true }, 409),
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
    around: readingUrl(/^\/conversation\//, '/v1$&'),
  },
];
