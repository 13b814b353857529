import { type Json, objectOf, replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, withBody } from '../../../../mock/proof/tampering/tamper.ts';
import { jsonOrUndefined } from '../../../../spec/text/json-or-undefined.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import {
  bodyOf,
  failing,
  inReply,
  onReplyTo,
  readingBody,
  readingUrl,
  refusing,
  type When,
  withStatus,
} from '../../tampering/when.ts';
import { wrongValue } from '../../tampering/wrong-value.ts';

const start: When = { id: 'startSiteFileUpload', ok: true };

/** Answers starts with a forbidden body as if the body were lawful. */
const lenient = (refused: When['refused'], which: (contentType: Json | undefined) => boolean = () => true) =>
  onReplyTo({ id: 'startSiteFileUpload', refused }, (answered) =>
    which(bodyOf(answered).contentType)
      ? answered.ask(withBody(answered.request, '{"contentType":"text/plain"}'))
      : undefined,
  );

const typeAsked = (asked: Asked) => String(bodyOf(asked).contentType);

const isoOf = (time: number) => new Date(time).toISOString();

/** Answers another uploadUrlExpiresAt than the time in five minutes. */
const wrongExpiry = (words: string, change: (inFiveMinutes: number) => Json | undefined) =>
  wrongValue(start, 'uploadUrlExpiresAt', words, (_, { mock }) => change(mock.clock.now() + 300_000));

/** Starts for sites that are unknown, or that are foreign. */
const unknownSite = (foreign: boolean): When => ({
  id: 'startSiteFileUpload',
  status: 404,
  where: ({ mock, params }) =>
    [...mock.tenants.values()].some((tenant) => tenant.sites.has(params.id ?? '')) === foreign,
});

/** Answers an upload target that leads nowhere. */
const startingNowhere = (when: When) =>
  onReplyTo(when, (answered) =>
    replyWith(201, {
      fileKey: crypto.randomUUID(),
      uploadUrl: 'http://127.0.0.1:4010/storage/nowhere?X-Amz-Signature=x',
      uploadUrlExpiresAt: isoOf(answered.mock.clock.now() + 300_000),
    }),
  );

export const upload: readonly Defect[] = [
  ...breaking('upload/target-file-key', {
    'upload/no-file-key': wrongValue(start, 'fileKey', 'nothing', () => undefined),
    'upload/file-key-is-no-uuid': wrongValue(start, 'fileKey', 'a path', (key) => `uploads/${key}/file`),
    'upload/file-key-is-reused': wrongValue(
      start,
      'fileKey',
      'always the same UUID',
      () => 'f11e0001-0000-4000-8000-000000000001',
    ),
    'upload/file-key-cut-short': wrongValue(start, 'fileKey', 'a UUID without hyphens', (key) =>
      String(key).replaceAll('-', ''),
    ),
    'upload/no-file-key-with-a-query': [
      'answers a start without a fileKey where the path has a query',
      inReply({ ...start, url: /\?/ }, () => ({ fileKey: undefined })),
    ],
  }),
  ...breaking('upload/target-url', {
    'upload/no-upload-url': wrongValue(start, 'uploadUrl', 'nothing', () => undefined),
    'upload/url-of-an-earlier-upload': [
      'gives the uploads of a site within a minute the URL of the first of them',
      (scene) => {
        const urls = new Map<string, { readonly url: Json; readonly at: number }>();
        return inReply(start, ({ uploadUrl = null }, { params: { id = '' }, mock }) => {
          const now = mock.clock.now();
          const known = urls.get(id);
          if (known !== undefined && now - known.at < 60_000) return { uploadUrl: known.url };
          urls.set(id, { url: uploadUrl, at: now });
          return {};
        })(scene);
      },
    ],
    'upload/url-is-a-path': wrongValue(start, 'uploadUrl', 'a path', (url) =>
      String(url).replace(new URL(String(url)).origin, ''),
    ),
    'upload/url-is-an-object': wrongValue(start, 'uploadUrl', 'a form to post', (url) => ({ url, fields: {} })),
  }),
  ...breaking('upload/target-expiry', {
    'upload/no-expiry': wrongExpiry('nothing', () => undefined),
    'upload/expiry-in-seconds': wrongExpiry('seconds since the epoch', (at) => Math.floor(at / 1000)),
    'upload/expiry-is-no-date-time': wrongExpiry('a date of HTTP', (at) => new Date(at).toUTCString()),
    'upload/expiry-without-zone': wrongExpiry('a time without an offset', (at) => isoOf(at).replace('Z', '')),
  }),
  ...breaking('upload/url-lives-five-minutes', {
    'upload/expires-in-1-minutes': wrongExpiry('a time in a minute', (at) => isoOf(at - 4 * 60_000)),
    'upload/expires-in-15-minutes': wrongExpiry('a time in 15 minutes', (at) => isoOf(at + 10 * 60_000)),
    'upload/expiry-in-local-time': wrongExpiry('the local time of another zone', (at) => isoOf(at - 6 * 3_600_000)),
    'upload/lives-longer-for-video': [
      'gives uploads of video an hour',
      inReply({ ...start, where: (answered) => typeAsked(answered).startsWith('video/') }, (_, { mock }) => ({
        uploadUrlExpiresAt: isoOf(mock.clock.now() + 3_600_000),
      })),
    ],
  }),
  ...breaking('upload/start-is-201', {
    'upload/start-answers-nothing': [
      'answers a start with 201 and an empty object, and its target in a header',
      onReplyTo(start, ({ reply }) => ({
        ...reply,
        headers: { ...reply.headers, location: String(objectOf(reply).uploadUrl) },
        body: '{}',
      })),
    ],
    'upload/start-is-200': withStatus(start, 200),
    'upload/started-with-303': withStatus({ ...start, tenant: 'acme' }, 303),
    'upload/breaks-for-parameters': [
      'answers 500 where the content type has parameters',
      refusing({ id: 'startSiteFileUpload', usable: true, where: (asked) => typeAsked(asked).includes(';') }, 500),
    ],
  }),
  ...breaking('upload/no-additional-properties', {
    'upload/additional-property-403': failing({ refused: 'additional-property' }, 403),
    'upload/additional-that-all-objects-have': [
      'accepts additional properties that every object has',
      readingBody({ id: 'startSiteFileUpload' }, (text) =>
        text.replace(/,"(constructor|__proto__)":("a"|\{[^}]*\})/, ''),
      ),
    ],
    'upload/additional-without-a-name': [
      'accepts an additional property whose name is empty',
      readingBody({ id: 'startSiteFileUpload' }, (text) => text.replace(/,"":"[^"]*"/, '')),
    ],
    'upload/additional-more-than-ten': [
      'looks for additional properties only among few',
      readingBody({ id: 'startSiteFileUpload' }, (text) => text.replace(/(,"a\d+":\d+){10,}/, '')),
    ],
    'upload/additional-in-other-case': [
      'compares names of properties without their case, so that ContentType may stand beside contentType',
      readingBody({ id: 'startSiteFileUpload' }, (text) =>
        text.includes('"contentType"') ? text.replace(/,\s?"ContentType":\s?"[^"]*"(?=\s?\})/, '') : text,
      ),
    ],
  }),
  ...breaking('upload/content-type-is-required', {
    'upload/content-type-defaults': [
      'takes application/octet-stream where contentType is missing',
      lenient('missing-content-type'),
    ],
    'upload/content-type-may-be-empty': ['takes an empty contentType', lenient('empty-content-type')],
    'upload/content-type-may-be-a-number': [
      'makes text of a contentType that is a number',
      lenient('wrong-json-type', (contentType) => typeof contentType === 'number'),
    ],
    'upload/content-type-may-be-null': [
      'treats a contentType of null as missing, and takes a default',
      lenient('wrong-json-type', (contentType) => contentType === null),
    ],
    'upload/missing-content-type-500': failing({ refused: 'missing-content-type' }, 500),
    'upload/empty-list-of-types': [
      'takes an empty list for a missing contentType, and then a usual type',
      readingBody({ id: 'startSiteFileUpload' }, (text) => text.replace(/"contentType":\[\]/, '"contentType":"a/b"')),
    ],
    'upload/array-of-a-type': [
      'takes the items of an array for the properties of an object, in their order',
      readingBody({ id: 'startSiteFileUpload' }, (text) => text.replace(/^\[("[^"]*")\]$/, '{"contentType":$1}')),
    ],
    'upload/json-in-a-string': [
      'reads JSON out of a string',
      readingBody({ id: 'startSiteFileUpload' }, (text) => {
        const json = jsonOrUndefined(text);
        return typeof json === 'string' && json.startsWith('{') ? json : text;
      }),
    ],
  }),
  ...breaking('upload/unknown-site-is-404', {
    'upload/unknown-site-422': ['answers 422 for a site that does not exist', failing(unknownSite(false), 422)],
    'upload/unknown-site-201': [
      'starts an upload for a site that does not exist, and looks only when it is registered',
      startingNowhere(unknownSite(false)),
    ],
    'upload/breaks-for-large-numbers': [
      'answers 500 where a site id is a number that is too large',
      refusing(
        { id: 'startSiteFileUpload', usable: true, where: ({ params }) => /^\d{12,}$/.test(params.id ?? '') },
        500,
      ),
    ],
    'upload/site-id-is-a-pattern': [
      'finds a site by LIKE, where the id has a wildcard for its last character',
      readingUrl(/^(\/v1\/site\/ovaid-[\w-]{35})_(?=\/file\/upload-url)/, '$11'),
    ],
    'upload/any-site-by-pattern': [
      'finds a site by LIKE, where the id is nothing but a wildcard',
      readingUrl(/^(\/v1\/site\/)%25(?=\/file\/upload-url)/, '$110042'),
    ],
    'upload/site-id-with-a-tail': [
      'reads a bare site id as far as it is a number',
      readingUrl(/^(\/v1\/site\/\d+)[^\d/][^/]*(?=\/file\/upload-url)/, '$1'),
    ],
    'upload/site-id-in-32-bits': [
      'reads a bare site id into 32 bits',
      readingUrl(
        /^(\/v1\/site\/)(\d{11,})(?=\/file\/upload-url)/,
        (_, path = '', id = '') => `${path}${BigInt(id) % 2n ** 32n}`,
      ),
    ],
    'upload/site-id-without-its-fraction': [
      'cuts the fraction off a bare site id',
      readingUrl(/^(\/v1\/site\/\d+)\.\d+(?=\/file\/upload-url)/, '$1'),
    ],
    'upload/site-id-ends-at-a-nul': [
      'reads a site id up to the first NUL',
      readingUrl(/^(\/v1\/site\/[\w-]+)%00[^/]*(?=\/file\/upload-url)/, '$1'),
    ],
    'upload/any-number-of-32-bits': [
      'starts an upload for every number of 32 bits without a look-up',
      readingUrl(/^(\/v1\/site\/)\d{9,10}(?=\/file\/upload-url)/, '$110042'),
    ],
    'upload/site-id-cut-off': [
      'finds a site by the beginning of its id',
      readingUrl(/^(\/v1\/site\/ovaid-[\w-]{35})(?=\/file\/upload-url)/, '$11'),
    ],
  }),
  ...breaking('upload/foreign-site-is-404', {
    'upload/foreign-site-403': [
      "answers 403 for another tenant's site, and so tells that it exists",
      failing(unknownSite(true), 403),
    ],
    'upload/foreign-site-201': [
      "answers 201 for another tenant's site, with a URL that leads nowhere",
      startingNowhere(unknownSite(true)),
    ],
  }),
];
