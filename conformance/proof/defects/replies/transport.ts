import { defaultBodyLimit } from '../../../../mock/index.ts';
import { errorWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, bytesOf, instead } from '../../../../mock/proof/tampering/tamper.ts';
import type { RuleId } from '../../../../spec/rules.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { isChunked, usable } from '../../tampering/predicates.ts';
import { describedAs } from '../../tampering/targets.ts';
import { failing, readingBody, readingUrl, refusing, textOf, type When, withText } from '../../tampering/when.ts';

const id = 'startSiteFileUpload';

const asText = (when: When) => withText({ ...when, ok: true }, (body) => `record ${body}`);

/** A wrong size limit. It strikes where the right limit would decide otherwise. */
const bodiesUpTo = (limit: number, name: string, breaks: RuleId): Defect => ({
  id: `limits/${name}`,
  breaks,
  does: `takes bodies of at most ${limit} bytes`,
  options: () => ({ bodyLimit: Number.MAX_SAFE_INTEGER }),
  around: (scene) =>
    instead((asked) => {
      const { length } = bytesOf(asked.request);
      if (asked.id === 'storage' || !usable(asked)) return undefined;
      if (length > limit !== length > defaultBodyLimit) scene.reached();
      return length > limit ? errorWith(413, 'PAYLOAD_TOO_LARGE') : undefined;
    })(scene),
});

const sizeOf = ({ id, request }: Asked) => (id === 'storage' ? 0 : bytesOf(request).length);
const isTooLarge = (asked: Asked) => sizeOf(asked) > defaultBodyLimit;
const isOverOneMegabyte = (asked: Asked) => sizeOf(asked) > 1024 * 1024 && !isTooLarge(asked);

/** Bodies that are not JSON, or of other sizes, and paths that are not served, or served without their version. */
export const transport: readonly Defect[] = [
  ...breaking('transport/json-both-ways', {
    'transport/health-is-text': withText({ id: 'getHealth', ok: true }, 'OK'),
    'transport/removals-are-text': withText({ id: 'removeSiteLabel', ok: true, record: 'legacy' }, 'OK'),
    'transport/label-set-is-a-script': withText({ id: 'applySiteLabel', ok: true }, (body) => `callback(${body})`),
    'transport/byte-order-mark': withText({ id: 'getConversation', ok: true }, (body) => `\uFEFF${body}`),
    'transport/records-are-text': asText({ id: ['getConversation', 'getSite', 'getClient', id] }),
    'transport/listing-is-text-after-the-first': asText({ id: 'listLabels', after: 1 }),
    'transport/xml-without-accept': withText(
      { id: 'listLabels', ok: true, where: ({ request }) => !request.headers.accept?.includes('json') },
      '<labels/>',
      'application/xml',
    ),
    'transport/closed-context-is-cut-off': withText(
      { id: 'getConversationContext', ok: true, record: 'closed' },
      (body) => body.slice(0, 200),
    ),
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
  ...breaking('service/named-endpoints-exist', {
    'service/no-health': refusing({ id: 'getHealth', usable: true }, 404),
    'service/health-always-503': refusing({ id: 'getHealth', usable: true }, 503),
    'service/no-conversation-record': failing({ id: 'getConversation', ok: true }, 501),
    'service/no-record-when-closed': failing({ id: 'getConversation', ok: true, record: 'closed' }, 410),
  }),
  ...breaking('versioning/v1-prefix', {
    'versioning/labels-served-without-prefix': readingUrl(/^\/site\/[^/]+\/label\//, '/v1$&'),
    'versioning/paths-without-version': [
      'has operations on labels of a conversation at paths without a version',
      readingUrl(/^\/conversation\//, '/v1$&'),
      describedAs({
        applyConversationLabel: { path: '/conversation/{id}/label/{labelId}' },
        removeConversationLabel: { path: '/conversation/{id}/label/{labelId}' },
      }),
    ],
  }),
  bodiesUpTo(8e6, 'eight-megabytes', 'limits/below-10mb-passes'),
  bodiesUpTo(16 * 1024 ** 2, 'sixteen-megabytes', 'limits/above-10mb-is-refused'),
  ...breaking('limits/above-10mb-is-refused', {
    'limits/too-large-is-500': refusing({ usable: true, where: isTooLarge }, 500, 'out of memory'),
    'limits/too-large-is-cut-off': readingBody({ id, where: isTooLarge }, () => '{"contentType":"text/plain"}'),
    'limits/none-for-chunks': readingBody({ id, where: isChunked }, (text) => text.replace(/\s+/g, '')),
  }),
  ...breaking('limits/below-10mb-passes', {
    'limits/one-megabyte-in-chunks': refusing(
      { usable: true, where: (asked) => isChunked(asked) && isOverOneMegabyte(asked) },
      413,
    ),
    'limits/one-megabyte-for-legacy': refusing({ usable: true, record: 'legacy', where: isOverOneMegabyte }, 413),
  }),
];
