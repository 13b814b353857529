import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { defaultBodyLimit } from '../../parts.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { isChunked } from '../tampering/predicates.ts';
import { type Asked, as, bytesOf, instead } from '../tampering/tamper.ts';
import { readingBody, readingUrl, refusing, replying, textOf, type When, withText } from '../tampering/when.ts';

/** Serves requests without a key at URLs that the gateway does not recognise, as the requests that they mean. */
const keyless = (pattern: RegExp, meant: string | ((found: string) => string)) =>
  instead(({ request, mock, ask }) => {
    const url = request.url.replace(pattern, meant as string);
    const isMeant = request.headers['x-api-key'] === undefined && url !== request.url;
    return isMeant ? ask(as(mock, { ...request, url }, 'acme')) : undefined;
  });

/** Reads the id of a site in the path of a start otherwise. */
const readingSite = (site: string, replacement: Parameters<typeof readingUrl>[1]) =>
  readingUrl(new RegExp(`^(/v1/site/)${site}(?=/file/upload-url)`), replacement);

/** Answers requests with a malformed id as if it were correct. */
const lenient = (id: When['id'], refused: When['refused'], siteId?: string) =>
  replying({ id, refused }, 200, { ...(siteId && { siteId }), labels: [] });

/** Paths and ids that are read too generously. */
export const spellings: readonly Defect[] = [
  ...breaking('auth/no-key-is-403', {
    'auth/no-key-before-a-last-slash': keyless(/\/$/, ''),
    'auth/no-key-after-a-double-slash': keyless(/\/\/+/g, '/'),
    'auth/no-key-for-capital-version': keyless(/^\/V1\//, '/v1/'),
    'auth/no-key-for-encoded-letters': keyless(/%[46]\w/g, decodeURIComponent),
    'auth/no-key-for-a-suffix': keyless(/\.json$/, ''),
  }),
  ...breaking('labels/apply-adds', {
    'labels/holder-by-pattern': readingUrl(/^(\/v1\/site\/ovaid-[\w-]{35})_(?=\/label\/)/, '$11'),
  }),
  ...breaking('labels/membership-is-a-set', {
    'labels/label-by-pattern': readingUrl(/(\/label\/1abe1[\w-]{30})_$/, '$18'),
  }),
  ...breaking('upload/unknown-site-is-404', {
    'upload/site-id-is-a-pattern': readingSite('(ovaid-[\\w-]{35})_', '$1$21'),
    'upload/any-site-by-pattern': readingSite('%25', '$110042'),
    'upload/site-id-with-a-tail': readingSite('(\\d+)[^\\d/][^/]*', '$1$2'),
    'upload/site-id-without-its-fraction': readingSite('(\\d+)\\.\\d+', '$1$2'),
    'upload/site-id-ends-at-a-nul': readingSite('([\\w-]+)%00[^/]*', '$1$2'),
    'upload/site-id-cut-off': readingSite('(ovaid-[\\w-]{35})', '$1$21'),
    'upload/any-number-of-32-bits': readingSite('\\d{9,10}', '$110042'),
  }),
  ...breaking('ids/site-id', { 'ids/empty-site-id-served': readingUrl(/^\/v1\/site\/\//, '/v1/site/10042/') }),
  ...breaking('ids/malformed-is-refused', {
    'ids/malformed-conversation-id-served': lenient('getConversationContext', 'malformed-conversation-id'),
    'ids/malformed-label-id-succeeds': lenient('removeConversationLabel', 'malformed-label-id'),
    'ids/malformed-label-id-applied-to-site': lenient('applySiteLabel', 'malformed-label-id', 'x'),
    'ids/conversation-id-cut-off': readingUrl(/(\/v1\/conversation\/[0-9a-f-]{36})[^/?]+/, '$1'),
    'ids/label-id-cut-off': readingUrl(/(\/label\/[0-9a-f-]{36})[^/?]+/, '$1'),
    'ids/conversation-id-as-number': readingUrl(
      /\/v1\/conversation\/\d+(?=\/|$)/,
      '/v1/conversation/c0000001-0000-4000-8000-000000000001',
    ),
  }),
  ...breaking('context/get-answers-context', { 'context/is-the-record': readingUrl(/\/context$/, '') }),
  ...breaking('versioning/v1-prefix', {
    'versioning/labels-served-without-prefix': readingUrl(/^\/site\/[^/]+\/label\//, '/v1$&'),
  }),
];

const id = 'startSiteFileUpload';

const sizeOf = ({ id, request }: Asked) => (id === 'storage' ? 0 : bytesOf(request).length);
const isTooLarge = (asked: Asked) => sizeOf(asked) > defaultBodyLimit;
const isOver = (limit: number) => (asked: Asked) => sizeOf(asked) > limit && !isTooLarge(asked);
const compact = (json: string) => JSON.stringify(jsonOrUndefined(json)) ?? json;

/** Bodies that are not JSON, or are read otherwise, or have other limits. */
export const transport: readonly Defect[] = [
  ...breaking('transport/json-both-ways', {
    'transport/byte-order-mark': withText({ id: 'getConversation', ok: true }, (body) => `\uFEFF${body}`),
    'transport/form-alone': readingBody(
      { id, where: ({ request }) => request.headers['content-type']?.includes('json') },
      () => '{}',
    ),
    'transport/form-as-well': readingBody({ id }, (text) => {
      const type = text.startsWith('{') ? null : new URLSearchParams(text).get('contentType');
      return type === null ? text : JSON.stringify({ contentType: type });
    }),
    'transport/escapes-not-understood': refusing(
      { id, usable: true, where: (asked) => /^\s*\{\s*\n|\\u/.test(textOf(asked)) },
      400,
    ),
    'transport/chunks-not-read': readingBody({ id, where: isChunked }, () => '{}'),
    'transport/what-follows-is-ignored': readingBody({ id }, (text) => text.split(/(?<=\})(?=.)/, 1)[0] ?? ''),
  }),
  ...breaking('limits/above-10mb-is-refused', {
    'limits/sixteen-megabytes': readingBody(
      { id, where: (asked) => isTooLarge(asked) && sizeOf(asked) <= 16 * 1024 ** 2 },
      compact,
    ),
    'limits/too-large-is-500': refusing({ usable: true, where: isTooLarge }, 500, 'out of memory'),
    'limits/too-large-is-cut-off': readingBody({ id, where: isTooLarge }, () => '{"contentType":"text/plain"}'),
    'limits/any-size-is-registered': readingBody({ id: 'registerSiteFile', where: isTooLarge }, compact),
  }),
  ...breaking('limits/below-10mb-passes', {
    'limits/eight-megabytes': refusing({ usable: true, where: isOver(8e6) }, 413),
    'limits/one-megabyte': refusing({ usable: true, where: isOver(1024 * 1024) }, 413),
    'limits/registrations-of-100-kb': refusing({ id: 'registerSiteFile', usable: true, where: isOver(1e5) }, 413),
  }),
];
