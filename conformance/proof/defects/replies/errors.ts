import { defaultBodyLimit } from '../../../../mock/index.ts';
import { errorWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, bytesOf, instead } from '../../../../mock/proof/tampering/tamper.ts';
import type { RuleId } from '../../../../spec/rules.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { usable } from '../../tampering/predicates.ts';
import { bodyOf, failing, inError, readingBody, refusing, textOf, type When, withText } from '../../tampering/when.ts';

/** Answers a page in place of some refusals. */
const html = (when: When) => withText(when, () => '<html><body><h1>Error</h1></body></html>', 'text/html');

/** A wrong size limit. It strikes where the right limit would decide otherwise. */
const bodiesUpTo = (limit: number, name: string, breaks: RuleId, does: string): Defect => ({
  id: `limits/${name}`,
  breaks,
  does,
  options: () => ({ bodyLimit: Number.MAX_SAFE_INTEGER }),
  around: (scene) =>
    instead((asked) => {
      const { length } = bytesOf(asked.request);
      if (asked.id === 'storage' || !usable(asked)) return undefined;
      if (length > limit !== length > defaultBodyLimit) scene.reached();
      return length > limit ? errorWith(413, 'PAYLOAD_TOO_LARGE') : undefined;
    })(scene),
});

const isTooLarge = ({ id, request }: Asked) => id !== 'storage' && bytesOf(request).length > defaultBodyLimit;

export const errors: readonly Defect[] = [
  ...breaking('errors/body', {
    'errors/text-in-error': ['answers error as a text', inError({}, () => ({ error: 'Not Found' }))],
    'errors/no-code': ['leaves error.code out', inError({}, ({ message = '' }) => ({ error: { message } }))],
    'errors/no-message-on-404': [
      'leaves error.message out of a 404, and of nothing else',
      inError({ status: 404 }, ({ code = '' }) => ({ error: { code } })),
    ],
    'errors/numeric-code-on-400': [
      'answers error.code as a number for a 400, and as a text elsewhere',
      inError({ status: 400 }, (error) => ({ error: { ...error, code: 400 } })),
    ],
    'errors/html-for-malformed-json': [
      'answers malformed JSON with a page of the framework',
      html({ refused: 'malformed-json' }),
    ],
    'errors/html-for-malformed-label': [
      'answers a label id that is no UUID with a page of the framework',
      html({ refused: 'malformed-label-id' }),
    ],
    'errors/html-for-unknown-site': [
      'answers an unknown site with a page, where an upload is started',
      html({ id: 'startSiteFileUpload', status: 404 }),
    ],
    'errors/messages-are-a-list': [
      'answers error.message as a list where a property is additional',
      inError({ refused: 'additional-property' }, (error) => ({ error: { ...error, message: ['one', 'two'] } })),
    ],
    'errors/empty-on-label-404': [
      'answers an unknown label with an empty body',
      withText({ refused: /(unknown|foreign|private)-label/ }, () => ''),
    ],
  }),
  ...breaking('errors/upload-statuses-are-declared', {
    'errors/upload-409-for-unknown-site': [
      'answers 410 for an unknown site, where an upload is started',
      failing({ id: 'startSiteFileUpload', status: 404 }, 410),
    ],
    'errors/upload-418-for-malformed-json': [
      'answers malformed JSON with 406, where an upload is started',
      failing({ id: 'startSiteFileUpload', refused: 'malformed-json' }, 406),
    ],
    'errors/upload-409-for-additional-property': [
      'answers an additional property with 409, where an upload is started',
      failing({ refused: 'additional-property' }, 409),
    ],
    'errors/upload-501-for-null': [
      'answers null for a contentType with 501, where an upload is started',
      failing(
        { id: 'startSiteFileUpload', status: [400, 422], where: (answered) => bodyOf(answered).contentType === null },
        501,
      ),
    ],
  }),
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
  }),
  ...breaking('service/named-endpoints-exist', {
    'service/no-health': ['has no health endpoint', refusing({ id: 'getHealth', usable: true }, 404)],
    'service/no-conversation-record': [
      'answers 501 for the record of a conversation',
      failing({ id: 'getConversation', ok: true }, 501),
    ],
  }),
  bodiesUpTo(8e6, 'eight-megabytes', 'limits/below-10mb-passes', 'refuses bodies over 8 MB'),
  bodiesUpTo(16 * 1024 ** 2, 'sixteen-megabytes', 'limits/above-10mb-is-refused', 'takes bodies up to 16 MB'),
  ...breaking('limits/above-10mb-is-refused', {
    'limits/too-large-is-500': [
      'breaks on a body over the limit',
      refusing({ usable: true, where: isTooLarge }, 500, 'out of memory'),
    ],
    'limits/too-large-is-cut-off': [
      'reads the first 10 MB of a larger body and serves them',
      readingBody({ id: 'startSiteFileUpload', where: isTooLarge }, () => '{"contentType":"text/plain"}'),
    ],
  }),
];
