import { replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { bodyOf, failing, inError, onReplyTo, type When, withText } from '../../tampering/when.ts';

/** Answers a page in place of some refusals. */
const html = (when: When) => withText(when, '<h1>Error</h1>', 'text/html');

/** Errors without the error body, or with other statuses. */
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
    'errors/html-for-malformed-json': html({ refused: 'malformed-json' }),
    'errors/html-for-malformed-label': html({ refused: 'malformed-label-id' }),
    'errors/html-for-unknown-site': html({ id: 'startSiteFileUpload', status: 404 }),
    'errors/messages-are-a-list': [
      'answers error.message as a list where a property is additional',
      inError({ refused: 'additional-property' }, (error) => ({ error: { ...error, message: ['one', 'two'] } })),
    ],
    'errors/empty-on-label-404': [
      'answers an unknown label with an empty body',
      withText({ refused: /(unknown|foreign|private)-label/ }, ''),
    ],
    'errors/empty-code': [
      'answers an empty error.code for whatever is unknown',
      inError({ status: 404 }, (error) => ({ error: { ...error, code: '' } })),
    ],
    'errors/list-of-errors-for-legacy': [
      'answers a list of errors where something is wrong about a legacy site',
      inError({ record: 'legacy' }, (error) => ({ errors: [error] })),
    ],
    'errors/message-alone-for-the-stranger': [
      'answers {"message"} for what is unknown to the other tenant',
      inError({ status: 404, tenant: 'globex' }, ({ message = '' }) => ({ message })),
    ],
    'errors/flat-on-writes': [
      'answers code and message without error around them to writes of labels alone',
      inError(
        { where: ({ request: { method, url } }) => method !== 'GET' && url.includes('/label/') },
        (error) => error,
      ),
    ],
    'errors/number-as-code-of-a-key': [
      'answers an unknown key with a number for error.code',
      onReplyTo({ refused: 'unknown-key' }, () => replyWith(403, { error: { code: 4031, message: 'Forbidden' } })),
    ],
    'errors/html-for-an-unknown-link': html({ refused: 'unknown-link' }),
  }),
  ...breaking('errors/upload-statuses-are-declared', {
    'errors/upload-409-for-unknown-site': failing({ id: 'startSiteFileUpload', status: 404 }, 410),
    'errors/upload-418-for-malformed-json': failing({ id: 'startSiteFileUpload', refused: 'malformed-json' }, 406),
    'errors/upload-409-for-additional-property': failing({ refused: 'additional-property' }, 409),
    'errors/upload-501-for-null': [
      'answers null for a contentType with 501, where an upload is started',
      failing(
        { id: 'startSiteFileUpload', status: [400, 422], where: (answered) => bodyOf(answered).contentType === null },
        501,
      ),
    ],
    'errors/keyless-upload-refused-with-407': [
      'answers a start without a valid key with 407',
      failing({ refused: /-key$/, url: /\/upload-url$/ }, 407),
    ],
    'errors/upload-409-after-the-first': failing(
      { id: 'startSiteFileUpload', ok: true, record: 'legacy', after: 1 },
      409,
    ),
  }),
];
