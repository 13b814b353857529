import { breaking, type Defect } from '../../tampering/defect.ts';
import {
  type AskedWhen,
  bodyOf,
  failing,
  inError,
  readingUrl,
  refusing,
  replying,
  type When,
  withText,
} from '../../tampering/when.ts';

/** Answers a page in place of some refusals. */
const html = (when: When) => withText(when, '<h1>Error</h1>', 'text/html');

/** Does not find some sites, or takes their ids for malformed. */
const blindTo = (record: AskedWhen['record'], id: AskedWhen['id'], status: number) =>
  refusing({ id, usable: true, record }, status);

/** Answers requests with a malformed id as if it were correct. */
const lenient = (id: When['id'], refused: When['refused'], siteId?: string) =>
  replying({ id, refused }, 200, { ...(siteId && { siteId }), labels: [] });

const id = 'startSiteFileUpload';

/** Errors without the error body or with other statuses, and ids that are not understood. */
export const errors: readonly Defect[] = [
  ...breaking('errors/body', {
    'errors/text-in-error': inError({}, () => ({ error: 'Not Found' })),
    'errors/no-code': inError({}, ({ message = '' }) => ({ error: { message } })),
    'errors/no-message-on-404': inError({ status: 404 }, ({ code = '' }) => ({ error: { code } })),
    'errors/numeric-code-on-400': inError({ status: 400 }, (error) => ({ error: { ...error, code: 400 } })),
    'errors/empty-code': inError({ status: 404 }, (error) => ({ error: { ...error, code: '' } })),
    'errors/list-of-errors-for-legacy': inError({ record: 'legacy' }, (error) => ({ errors: [error] })),
    'errors/messages-are-a-list': inError({ refused: 'additional-property' }, (error) => ({
      error: { ...error, message: ['one', 'two'] },
    })),
    'errors/flat-on-writes': inError({ method: ['PUT', 'POST', 'DELETE'], url: /\/label\// }, (error) => error),
    'errors/number-as-code-of-a-key': replying({ refused: 'unknown-key' }, 403, {
      error: { code: 4031, message: 'No' },
    }),
    'errors/empty-on-label-404': withText({ refused: /(unknown|foreign|private)-label/ }, ''),
    'errors/html-for-malformed-json': html({ refused: 'malformed-json' }),
    'errors/html-for-malformed-label': html({ refused: 'malformed-label-id' }),
    'errors/html-for-unknown-site': html({ id, status: 404 }),
    'errors/html-for-an-unknown-link': html({ refused: 'unknown-link' }),
  }),
  ...breaking('errors/upload-statuses-are-declared', {
    'errors/upload-409-for-unknown-site': failing({ id, status: 404 }, 410),
    'errors/upload-418-for-malformed-json': failing({ id, refused: 'malformed-json' }, 406),
    'errors/upload-409-for-additional-property': failing({ refused: 'additional-property' }, 409),
    'errors/upload-501-for-null': failing(
      { id, status: [400, 422], where: (answered) => bodyOf(answered).contentType === null },
      501,
    ),
    'errors/keyless-upload-refused-with-407': failing({ refused: /-key$/, url: /\/upload-url$/ }, 407),
    'errors/upload-409-after-the-first': failing({ id, ok: true, record: 'legacy', after: 1 }, 409),
  }),
  ...breaking('ids/site-id', {
    'ids/newer-site-id-malformed-for-upload': blindTo('newer', id, 400),
    'ids/newer-site-id-malformed-for-apply': blindTo('newer', 'applySiteLabel', 400),
    'ids/newer-site-id-malformed-for-remove': blindTo('newer', 'removeSiteLabel', 400),
    'ids/empty-site-id-served': readingUrl(/^\/v1\/site\/\//, '/v1/site/10042/'),
  }),
  ...breaking('ids/legacy-site-id-works', {
    'ids/legacy-id-unknown-for-apply': blindTo('legacy', 'applySiteLabel', 404),
    'ids/legacy-id-unknown-for-remove': blindTo('legacy', 'removeSiteLabel', 404),
    'ids/legacy-site-wants-post': blindTo('legacy', 'applySiteLabel', 405),
    'ids/legacy-id-unknown-to-second-key': refusing(
      { id, usable: true, record: 'legacy', where: ({ key }) => key?.name !== 'full' },
      404,
    ),
  }),
  ...breaking('ids/malformed-is-refused', {
    'ids/malformed-conversation-id-served': lenient('getConversationContext', 'malformed-conversation-id'),
    'ids/malformed-conversation-id-500': failing({ refused: 'malformed-conversation-id' }, 500),
    'ids/malformed-label-id-succeeds': lenient('removeConversationLabel', 'malformed-label-id'),
    'ids/malformed-label-id-applied-to-site': lenient('applySiteLabel', 'malformed-label-id', 'x'),
    'ids/client-id-without-prefix': lenient('removeClientSiteLabel', 'malformed-client-id'),
    'ids/conversation-id-cut-off': readingUrl(/(\/v1\/conversation\/[0-9a-f-]{36})[^/?]+/, '$1'),
    'ids/label-id-cut-off': readingUrl(/(\/label\/[0-9a-f-]{36})[^/?]+/, '$1'),
    'ids/conversation-id-as-number': readingUrl(
      /\/v1\/conversation\/\d+(?=\/|$)/,
      '/v1/conversation/c0000001-0000-4000-8000-000000000001',
    ),
  }),
];
