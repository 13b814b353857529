import { defaultBodyLimit } from '../../../../mock/index.ts';
import { replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, bytesOf } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { failing, inError, onReplyTo, readingBody, readingUrl, refusing, withText } from '../../tampering/when.ts';

const isChunked = ({ request }: Asked) => request.headers['content-length'] === undefined;
/** Whether the body is over 1 MB, and not over the limit. */
const isOverOneMegabyte = ({ request }: Asked) => {
  const { length } = bytesOf(request);
  return length > 1024 * 1024 && length <= defaultBodyLimit;
};

/** Defects that only some keys, records or sequences of requests show. */
export const replies: readonly Defect[] = [
  ...breaking('transport/json-both-ways', {
    'transport/xml-without-accept': [
      'lists labels as XML to clients that do not ask for JSON',
      withText(
        { id: 'listLabels', ok: true, where: ({ request }) => !request.headers.accept?.includes('json') },
        () => '<labels/>',
        'application/xml',
      ),
    ],
    'transport/closed-context-is-cut-off': [
      'answers half of the context of a closed conversation',
      withText({ id: 'getConversationContext', ok: true, record: 'closed' }, (body) => body.slice(0, 200)),
    ],
    'transport/removals-are-text': [
      'answers OK in plain text where a label was taken off a legacy site',
      withText({ id: 'removeSiteLabel', ok: true, record: 'legacy' }, () => 'OK'),
    ],
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
  ...breaking('errors/body', {
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
    'errors/html-for-an-unknown-link': [
      'answers a page where a client and a site are not linked',
      withText({ refused: 'unknown-link' }, () => '<!doctype html><title>Error</title>', 'text/html'),
    ],
  }),
  ...breaking('errors/upload-statuses-are-declared', {
    'errors/upload-409-after-the-first': [
      'answers 409 to the second start for a legacy site, and to all after it',
      (scene) => {
        let started = 0;
        return failing(
          { id: 'startSiteFileUpload', ok: true, record: 'legacy', where: () => started++ > 0 },
          409,
        )(scene);
      },
    ],
  }),
  ...breaking('ids/legacy-site-id-works', {
    'ids/legacy-id-unknown-to-second-key': [
      'finds legacy sites for the widest key alone, where an upload is started',
      refusing(
        { id: 'startSiteFileUpload', usable: true, record: 'legacy', where: ({ key }) => key?.name !== 'full' },
        404,
      ),
    ],
    'ids/legacy-site-wants-post': [
      'answers 405 where a label is put on a legacy site',
      refusing({ id: 'applySiteLabel', usable: true, record: 'legacy' }, 405),
    ],
  }),
  ...breaking('ids/malformed-is-refused', {
    'ids/label-id-cut-off': [
      'reads the first 36 characters of a label id and ignores what follows',
      readingUrl(/(\/label\/[0-9a-f-]{36})[^/?]+/, '$1'),
    ],
  }),
  ...breaking('service/named-endpoints-exist', {
    'service/no-record-when-closed': [
      'answers 410 for the record of a closed conversation',
      failing({ id: 'getConversation', ok: true, record: 'closed' }, 410),
    ],
    'service/health-always-503': [
      'answers its health with 503 whenever it is asked',
      refusing({ id: 'getHealth', usable: true }, 503),
    ],
  }),
  ...breaking('versioning/v1-prefix', {
    'versioning/labels-served-without-prefix': [
      'takes labels off sites without /v1 as well',
      readingUrl(/^\/site\/[^/]+\/label\//, '/v1$&'),
    ],
  }),
  ...breaking('limits/above-10mb-is-refused', {
    'limits/none-for-chunks': [
      'believes the announced length alone: bodies in chunks may have any size',
      readingBody({ id: 'startSiteFileUpload', where: isChunked }, (text) => text.replace(/\s+/g, '')),
    ],
  }),
  ...breaking('limits/below-10mb-passes', {
    'limits/one-megabyte-in-chunks': [
      'refuses bodies in chunks over 1 MB',
      refusing({ usable: true, where: (asked) => isChunked(asked) && isOverOneMegabyte(asked) }, 413),
    ],
    'limits/one-megabyte-for-legacy': [
      'refuses bodies over 1 MB where an upload for a legacy site is started',
      refusing({ usable: true, record: 'legacy', where: isOverOneMegabyte }, 413),
    ],
  }),
];
