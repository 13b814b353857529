import type { RuleId } from '../../../spec/rules.ts';
import { defaultBodyLimit } from '../../in-process.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { errorWith } from '../tampering/json-value.ts';
import { isChunked, usable } from '../tampering/predicates.ts';
import { type Asked, bytesOf, instead } from '../tampering/tamper.ts';
import { readingBody, refusing, textOf, withText } from '../tampering/when.ts';

const id = 'startSiteFileUpload';

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
  bodiesUpTo(8e6, 'eight-megabytes', 'limits/below-10mb-passes'),
  bodiesUpTo(16 * 1024 ** 2, 'sixteen-megabytes', 'limits/above-10mb-is-refused'),
  ...breaking('limits/above-10mb-is-refused', {
    'limits/too-large-is-500': refusing({ usable: true, where: isTooLarge }, 500, 'out of memory'),
    'limits/too-large-is-cut-off': readingBody({ id, where: isTooLarge }, () => '{"contentType":"text/plain"}'),
  }),
  ...breaking('limits/below-10mb-passes', {
    'limits/one-megabyte': refusing({ usable: true, where: isOverOneMegabyte }, 413),
  }),
];
