import { breaking, type Defect } from '../../tampering/defect.ts';
import { isChunked } from '../../tampering/predicates.ts';
import { failing, readingBody, readingUrl, refusing, textOf, type When, withText } from '../../tampering/when.ts';

const asText = (when: When) => withText({ ...when, ok: true }, (body) => `record ${body}`);

/** Bodies that are not JSON, and paths that are not served, or served without their version. */
export const transport: readonly Defect[] = [
  ...breaking('transport/json-both-ways', {
    'transport/health-is-text': withText({ id: 'getHealth', ok: true }, 'OK'),
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
    'transport/byte-order-mark': [
      'puts a byte order mark before the JSON of a conversation',
      withText({ id: 'getConversation', ok: true }, (body) => `\uFEFF${body}`),
    ],
    'transport/form-as-well': [
      'reads a start that is no JSON as a form, whatever it is declared as',
      readingBody({ id: 'startSiteFileUpload' }, (text) => {
        const type = text.startsWith('{') ? null : new URLSearchParams(text).get('contentType');
        return type === null ? text : JSON.stringify({ contentType: type });
      }),
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
      asText({ id: 'listLabels', after: 1 }),
    ],
    'transport/xml-without-accept': [
      'lists labels as XML to clients that do not ask for JSON',
      withText(
        { id: 'listLabels', ok: true, where: ({ request }) => !request.headers.accept?.includes('json') },
        '<labels/>',
        'application/xml',
      ),
    ],
    'transport/closed-context-is-cut-off': [
      'answers half of the context of a closed conversation',
      withText({ id: 'getConversationContext', ok: true, record: 'closed' }, (body) => body.slice(0, 200)),
    ],
    'transport/removals-are-text': withText({ id: 'removeSiteLabel', ok: true, record: 'legacy' }, 'OK'),
    'transport/chunks-not-read': [
      'takes a body whose length is not announced for an empty one',
      readingBody({ id: 'startSiteFileUpload', where: isChunked }, () => '{}'),
    ],
    'transport/what-follows-is-ignored': [
      'reads JSON to its end and ignores what follows',
      readingBody({ id: 'startSiteFileUpload' }, (text) => text.split(/(?<=\})(?=.)/, 1)[0] ?? ''),
    ],
    'transport/charset-refused-for-legacy': [
      'refuses JSON that is declared with its charset where an upload for a legacy site is started',
      refusing(
        {
          id: 'startSiteFileUpload',
          usable: true,
          record: 'legacy',
          where: ({ request }) => request.headers['content-type']?.includes('charset'),
        },
        400,
      ),
    ],
    'transport/unclosed-json-mended-for-legacy': [
      'closes brackets that were left open, where an upload for a legacy site is started',
      readingBody({ id: 'startSiteFileUpload', record: 'legacy' }, (text) => text.replace(/^\{[^}]*"$/, '$&}')),
    ],
  }),
  ...breaking('service/named-endpoints-exist', {
    'service/no-health': refusing({ id: 'getHealth', usable: true }, 404),
    'service/no-conversation-record': failing({ id: 'getConversation', ok: true }, 501),
    'service/no-record-when-closed': failing({ id: 'getConversation', ok: true, record: 'closed' }, 410),
    'service/health-always-503': refusing({ id: 'getHealth', usable: true }, 503),
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
  ...breaking('versioning/v1-prefix', {
    'versioning/labels-served-without-prefix': [
      'takes labels off sites without /v1 as well',
      readingUrl(/^\/site\/[^/]+\/label\//, '/v1$&'),
    ],
  }),
];
