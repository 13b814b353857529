import { breaking, type Defect } from '../../tampering/defect.ts';
import { failing, readingBody, readingUrl, refusing, textOf, type When, withText } from '../../tampering/when.ts';

const asText = (when: When) => withText({ ...when, ok: true }, (body) => `record ${body}`);

/** Bodies that are not JSON, and paths that are not served, or served without their version. */
export const transport: readonly Defect[] = [
  ...breaking('transport/json-both-ways', {
    'transport/health-is-text': [
      'answers the health endpoint with the text OK',
      withText({ id: 'getHealth', ok: true }, () => 'OK'),
    ],
    'transport/label-set-is-a-script': [
      'answers the label set of a site as a call of a script',
      withText({ id: 'applySiteLabel', ok: true }, (body) => `callback(${body})`),
    ],
    'transport/form-alone': [
      'reads a start only as a form, and JSON as an empty form',
      readingBody(
        { id: 'startSiteFileUpload', where: ({ request }) => request.headers['content-type']?.includes('json') },
        () => '{}',
      ),
    ],
    'transport/escapes-not-understood': [
      'reads JSON with patterns, and finds nothing where white space or escapes stand',
      refusing(
        {
          id: 'startSiteFileUpload',
          usable: true,
          where: (asked) => /^\s*\{\s*\n|\\u/.test(textOf(asked)),
        },
        400,
      ),
    ],
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
  ...breaking('service/named-endpoints-exist', {
    'service/no-health': ['has no health endpoint', refusing({ id: 'getHealth', usable: true }, 404)],
    'service/no-conversation-record': [
      'answers 501 for the record of a conversation',
      failing({ id: 'getConversation', ok: true }, 501),
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
