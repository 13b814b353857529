import { defaultBodyLimit } from '../../../../mock/index.ts';
import {
  asObject,
  errorWith,
  jsonOf,
  objectOf,
  replyWith,
  withJson,
} from '../../../../mock/proof/tampering/json-value.ts';
import {
  type Answered,
  bytesOf,
  instead,
  onReply,
  onRequest,
  withBody,
} from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { usable } from '../../tampering/predicates.ts';

/** Changes the bodies of refusals by the service, but not those by a gateway (403, 413, 415, 429). */
const inErrors = (
  change: (answered: Answered) => Answered['reply'] | undefined,
  which: (answered: Answered) => boolean = () => true,
) =>
  onReply((answered) =>
    [400, 404, 409, 422].includes(answered.reply.status) && answered.id !== 'storage' && which(answered)
      ? change(answered)
      : undefined,
  );

const status = (wanted: number) => (answered: Answered) => answered.reply.status === wanted;
const fromUpload = ({ id }: Answered) => id === 'startSiteFileUpload';
const errorOf = ({ reply }: Answered) => asObject(objectOf(reply).error);

const html = (answered: Answered) => ({
  ...answered.reply,
  headers: { 'content-type': 'text/html' },
  body: `<html><body><h1>${answered.reply.status}</h1></body></html>`,
});

/** A wrong size limit. It strikes where the right limit would decide otherwise. */
const bodiesUpTo = (limit: number): Pick<Defect, 'options' | 'around'> => ({
  options: () => ({ bodyLimit: Number.MAX_SAFE_INTEGER }),
  around: (scene) =>
    instead((asked) => {
      const { length } = bytesOf(asked.request);
      if (asked.id === 'storage' || !usable(asked)) return undefined;
      if (length > limit !== length > defaultBodyLimit) scene.reached();
      return length > limit ? errorWith(413, 'PAYLOAD_TOO_LARGE') : undefined;
    })(scene),
});

export const errors: readonly Defect[] = [
  ...breaking('errors/body', {
    'errors/flat-body': [
      'answers code and message without error around them',
      inErrors((answered) => withJson(answered.reply, errorOf(answered))),
    ],
    'errors/text-in-error': [
      'answers error as a text',
      inErrors(({ reply }) => withJson(reply, { error: 'Not Found' })),
    ],
    'errors/no-code': [
      'leaves error.code out',
      inErrors((answered) => withJson(answered.reply, { error: { message: errorOf(answered).message ?? '' } })),
    ],
    'errors/no-message-on-404': [
      'leaves error.message out of a 404, and of nothing else',
      inErrors((answered) => withJson(answered.reply, { error: { code: errorOf(answered).code ?? '' } }), status(404)),
    ],
    'errors/numeric-code-on-400': [
      'answers error.code as a number for a 400, and as a text elsewhere',
      inErrors((answered) => withJson(answered.reply, { error: { ...errorOf(answered), code: 400 } }), status(400)),
    ],
    'errors/html-for-malformed-json': [
      'answers malformed JSON with a page of the framework',
      inErrors(html, ({ refused }) => refused === 'malformed-json'),
    ],
    'errors/html-for-unknown-site': [
      'answers an unknown site with a page, where an upload is started',
      inErrors(html, (answered) => fromUpload(answered) && answered.reply.status === 404),
    ],
    'errors/messages-are-a-list': [
      'answers error.message as a list where a property is additional',
      inErrors(
        (answered) => withJson(answered.reply, { error: { ...errorOf(answered), message: ['one', 'two'] } }),
        ({ refused }) => refused === 'additional-property',
      ),
    ],
    'errors/empty-on-label-404': [
      'answers an unknown label with an empty body',
      inErrors(
        ({ reply }) => ({ ...reply, body: '' }),
        ({ refused }) => /(unknown|foreign|private)-label/.test(refused ?? ''),
      ),
    ],
  }),
  ...breaking('errors/upload-statuses-are-declared', {
    'errors/upload-409-for-unknown-site': [
      'answers 410 for an unknown site, where an upload is started',
      inErrors(
        () => errorWith(410, 'GONE'),
        (answered) => fromUpload(answered) && answered.reply.status === 404,
      ),
    ],
    'errors/upload-418-for-malformed-json': [
      'answers malformed JSON with 406, where an upload is started',
      inErrors(
        () => errorWith(406, 'NOT_ACCEPTABLE'),
        (answered) => fromUpload(answered) && answered.refused === 'malformed-json',
      ),
    ],
    'errors/upload-409-for-additional-property': [
      'answers an additional property with 409, where an upload is started',
      inErrors(
        () => errorWith(409, 'CONFLICT'),
        ({ refused }) => refused === 'additional-property',
      ),
    ],
    'errors/upload-501-for-null': [
      'answers null for a contentType with 501, where an upload is started',
      inErrors(
        () => errorWith(501, 'NOT_IMPLEMENTED'),
        (answered) =>
          fromUpload(answered) &&
          asObject(jsonOf(new TextDecoder().decode(bytesOf(answered.request)))).contentType === null,
      ),
    ],
  }),
  ...breaking('transport/json-both-ways', {
    'transport/context-is-xml': [
      'answers a context as XML',
      onReply(({ id, ok, reply }) =>
        id === 'getConversationContext' && ok
          ? { ...reply, headers: { 'content-type': 'application/xml' }, body: '<context/>' }
          : undefined,
      ),
    ],
    'transport/health-is-text': [
      'answers the health endpoint with the text OK',
      onReply(({ id, ok, reply }) => (id === 'getHealth' && ok ? { ...reply, body: 'OK' } : undefined)),
    ],
    'transport/label-set-is-a-script': [
      'answers the label set of a site as a call of a script',
      onReply(({ id, ok, reply }) =>
        id === 'applySiteLabel' && ok ? { ...reply, body: `callback(${reply.body})` } : undefined,
      ),
    ],
    'transport/form-alone': [
      'reads a start only as a form, and JSON as an empty form',
      onRequest(({ id, request }) =>
        id === 'startSiteFileUpload' && request.headers['content-type']?.includes('json')
          ? withBody(request, '{}')
          : undefined,
      ),
    ],
    'transport/charset-refused': [
      'answers 415 to JSON that is declared with its charset',
      instead((asked) =>
        asked.request.headers['content-type']?.includes('charset') &&
        asked.id === 'startSiteFileUpload' &&
        usable(asked)
          ? errorWith(415, 'UNSUPPORTED_MEDIA_TYPE')
          : undefined,
      ),
    ],
    'transport/malformed-json-mended': [
      'mends malformed JSON by itself',
      onReply(({ id, refused, request, ask }) =>
        id === 'startSiteFileUpload' && refused === 'malformed-json'
          ? ask(withBody(request, '{"contentType":"text/plain"}'))
          : undefined,
      ),
    ],
    'transport/escapes-not-understood': [
      'reads JSON with patterns, and finds nothing where white space or escapes stand',
      instead((asked) =>
        asked.id === 'startSiteFileUpload' &&
        usable(asked) &&
        /^\s*\{\s*\n|\\u/.test(new TextDecoder().decode(bytesOf(asked.request)))
          ? errorWith(400, 'BAD_REQUEST')
          : undefined,
      ),
    ],
  }),
  ...breaking('service/named-endpoints-exist', {
    'service/no-health': [
      'has no health endpoint',
      instead((asked) => (asked.id === 'getHealth' && usable(asked) ? errorWith(404, 'NOT_FOUND') : undefined)),
    ],
    'service/no-conversation-record': [
      'answers 501 for the record of a conversation',
      onReply(({ id, ok }) => (id === 'getConversation' && ok ? errorWith(501, 'NOT_IMPLEMENTED') : undefined)),
    ],
  }),
  ...breaking('versioning/v1-prefix', {
    'versioning/served-without-prefix': [
      'serves every path without /v1 as well',
      onReply(({ id, reply, request, ask }) =>
        id === null && reply.status === 404 && !/^\/(v\d|storage)/.test(request.url)
          ? ask({ ...request, url: `/v1${request.url}` })
          : undefined,
      ),
    ],
  }),
  {
    id: 'limits/one-megabyte',
    breaks: 'limits/below-10mb-passes',
    does: 'refuses bodies over 1 MB',
    ...bodiesUpTo(1024 * 1024),
  },
  {
    id: 'limits/eight-megabytes',
    breaks: 'limits/below-10mb-passes',
    does: 'refuses bodies over 8 MB',
    ...bodiesUpTo(8 * 1000 * 1000),
  },
  {
    id: 'limits/none',
    breaks: 'limits/above-10mb-is-refused',
    does: 'takes bodies of any size',
    ...bodiesUpTo(Number.MAX_SAFE_INTEGER),
  },
  {
    id: 'limits/sixteen-megabytes',
    breaks: 'limits/above-10mb-is-refused',
    does: 'takes bodies up to 16 MB',
    ...bodiesUpTo(16 * 1024 * 1024),
  },
  ...breaking('limits/above-10mb-is-refused', {
    'limits/too-large-is-500': [
      'breaks on a body over the limit',
      instead((asked) =>
        usable(asked) && asked.id !== 'storage' && bytesOf(asked.request).length > defaultBodyLimit
          ? replyWith(500, { error: { code: 'INTERNAL_SERVER_ERROR', message: 'out of memory' } })
          : undefined,
      ),
    ],
    'limits/too-large-is-cut-off': [
      'reads the first 10 MB of a larger body and serves them',
      onRequest((asked) =>
        asked.id === 'startSiteFileUpload' && bytesOf(asked.request).length > defaultBodyLimit
          ? withBody(asked.request, '{"contentType":"text/plain"}')
          : undefined,
      ),
    ],
  }),
];
