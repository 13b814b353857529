import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { type Json, objectOf, replyWith } from '../tampering/json-value.ts';
import { usable } from '../tampering/predicates.ts';
import { type Asked, bytesOf, instead, withBody } from '../tampering/tamper.ts';
import { bodyOf, failing, onReplyTo, readingBody, type When, withStatus } from '../tampering/when.ts';
import { wrongValue } from '../tampering/wrong-value.ts';

const id = 'startSiteFileUpload';
const start: When = { id, ok: true };

/** Answers another value in an upload target. */
const wrong = (place: string, change: Parameters<typeof wrongValue>[2]) => wrongValue(start, place, change);

const isoOf = (time: number) => new Date(time).toISOString();

/** Answers another uploadUrlExpiresAt than the time in five minutes. */
const wrongExpiry = (change: (inFiveMinutes: number) => Json | undefined) =>
  wrong('uploadUrlExpiresAt', (_, { mock }) => change(mock.clock.now() + 300_000));

/** Answers starts with a forbidden body as if the body were lawful. */
const lenient = (refused: When['refused'], which: (contentType: Json | undefined) => boolean = () => true) =>
  onReplyTo({ id, refused }, (answered) =>
    which(bodyOf(answered).contentType)
      ? answered.ask(withBody(answered.request, '{"contentType":"text/plain"}'))
      : undefined,
  );

/** Reads the body of a start otherwise. */
const reading = (pattern: RegExp, replacement: string) =>
  readingBody({ id }, (text) => text.replace(pattern, replacement));

/** Starts for sites that nobody has. */
const unknownSite: When = {
  id,
  status: 404,
  where: ({ mock, params }) => ![...mock.tenants.values()].some(({ records }) => records.sites.has(params.id ?? '')),
};

/** Refuses some requests to the storage. */
const xml = (status: number, code: string, where: (asked: Asked) => boolean = () => true) =>
  instead((asked) =>
    asked.id === 'storage' && where(asked)
      ? { status, headers: { 'content-type': 'application/xml' }, body: `<Error><Code>${code}</Code></Error>` }
      : undefined,
  );

/** Takes bytes that the storage refuses in these words. */
const storing = (words: string) =>
  onReplyTo({ id: 'storage', where: ({ reply }) => reply.body?.includes(words) }, () => stored);

const stored = { status: 200, headers: { etag: '"d41d8cd98f00b204e9800998ecf8427e"' }, body: null };

/** Uploads that are started, stored or registered otherwise. */
export const uploads: readonly Defect[] = [
  ...breaking('upload/target-file-key', {
    'upload/file-key-is-a-path': wrong('fileKey', (key) => `uploads/${key}/file`),
    'upload/file-key-is-reused': wrong('fileKey', () => 'f11e0001-0000-4000-8000-000000000001'),
  }),
  ...breaking('upload/target-url', {
    'upload/url-is-a-path': wrong('uploadUrl', (url) => String(url).replace(new URL(String(url)).origin, '')),
  }),
  ...breaking('upload/target-expiry', {
    'upload/expiry-in-seconds': wrongExpiry((at) => Math.floor(at / 1000)),
    'upload/expiry-is-no-date-time': wrongExpiry((at) => new Date(at).toUTCString()),
    'upload/expiry-without-zone': wrongExpiry((at) => isoOf(at).replace('Z', '')),
  }),
  ...breaking('upload/url-lives-five-minutes', {
    'upload/expires-in-1-minutes': wrongExpiry((at) => isoOf(at - 4 * 60_000)),
    'upload/expires-in-15-minutes': wrongExpiry((at) => isoOf(at + 10 * 60_000)),
    'upload/expiry-in-local-time': wrongExpiry((at) => isoOf(at - 6 * 3_600_000)),
  }),
  ...breaking('upload/start-is-201', {
    'upload/start-answers-nothing': onReplyTo(start, ({ reply }) => ({
      ...reply,
      headers: { ...reply.headers, location: String(objectOf(reply).uploadUrl) },
      body: '{}',
    })),
    'upload/start-is-200': withStatus(start, 200),
    'upload/started-with-303': withStatus({ ...start, tenant: 'acme' }, 303),
  }),
  ...breaking('upload/no-additional-properties', {
    'upload/additional-property-403': failing({ refused: 'additional-property' }, 403),
    'upload/additional-properties-taken': reading(/(?<="contentType":"[^"]*"),.*(?=\}$)/, ''),
    'upload/additional-that-all-objects-have': reading(/,"(constructor|__proto__)":("a"|\{[^}]*\})/, ''),
  }),
  ...breaking('upload/content-type-is-required', {
    'upload/content-type-defaults': lenient('missing-content-type'),
    'upload/content-type-may-be-empty': lenient('empty-content-type'),
    'upload/content-type-may-be-a-number': lenient('wrong-json-type', (type) => typeof type === 'number'),
    'upload/content-type-may-be-null': lenient('wrong-json-type', (type) => type === null),
    'upload/missing-content-type-500': failing({ refused: 'missing-content-type' }, 500),
    'upload/empty-list-of-types': reading(/"contentType":\[\]/, '"contentType":"a/b"'),
    'upload/array-of-a-type': reading(/^\[("[^"]*")\]$/, '{"contentType":$1}'),
    'upload/json-in-a-string': readingBody({ id }, (text) => {
      const json = jsonOrUndefined(text);
      return typeof json === 'string' && json.startsWith('{') ? json : text;
    }),
  }),
  ...breaking('errors/upload-statuses-are-declared', {
    'errors/upload-410-for-unknown-site': failing({ id, status: 404 }, 410),
    'errors/upload-406-for-malformed-json': failing({ id, refused: 'malformed-json' }, 406),
    'errors/upload-409-for-additional-property': failing({ refused: 'additional-property' }, 409),
    'errors/keyless-upload-refused-with-407': failing({ refused: /-key$/, url: /\/upload-url$/ }, 407),
    'errors/upload-409-after-the-first': failing({ id, ok: true, record: 'legacy', after: 1 }, 409),
  }),
  ...breaking('upload/unknown-site-is-404', {
    'upload/unknown-site-422': failing(unknownSite, 422),
    'upload/unknown-site-201': onReplyTo(unknownSite, ({ mock }) =>
      replyWith(201, {
        fileKey: crypto.randomUUID(),
        uploadUrl: 'http://127.0.0.1:4010/storage/nowhere?X-Amz-Signature=x',
        uploadUrlExpiresAt: isoOf(mock.clock.now() + 300_000),
      }),
    ),
  }),
  ...breaking('upload/foreign-site-is-404', {
    'upload/foreign-site-403': failing({ id, refused: 'foreign-site' }, 403),
  }),
  ...breaking('upload/expired-url-is-refused', {
    'upload/expired-is-ignored': storing('Request has expired'),
  }),
  ...breaking('upload/put-accepts-bytes', {
    'upload/put-refused': xml(403, 'SignatureDoesNotMatch'),
    'upload/put-needs-the-key': xml(403, 'AccessDenied', ({ key }) => key === undefined),
    'upload/put-redirects': withStatus({ id: 'storage', ok: true }, 307),
    'upload/put-with-403': withStatus({ id: 'storage', ok: true }, 403),
  }),
  ...breaking('upload/put-content-type-must-match', {
    'upload/put-takes-any-type': storing('SignatureDoesNotMatch'),
  }),
  ...breaking('upload/no-direct-bytes', {
    'upload/bytes-taken-directly': instead((asked) => {
      const { request, params } = asked;
      const isJson = request.headers['content-type']?.includes('json');
      const isDirect = /^\/v1\/site\/[^/]+\/file(\/upload-url)?$/.test(request.url) && !isJson;
      return isDirect && request.body !== null && usable(asked)
        ? replyWith(201, { fileKey: crypto.randomUUID(), siteId: params.id ?? '' })
        : undefined;
    }),
  }),
  ...breaking('upload/file-may-exceed-10mb', {
    'upload/storage-limit-10mb': xml(400, 'EntityTooLarge', ({ request }) => bytesOf(request).length > 10 * 1024 ** 2),
  }),
];
