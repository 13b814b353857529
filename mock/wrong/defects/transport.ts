import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { defaultBodyLimit } from '../../in-process.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { isChunked } from '../tampering/predicates.ts';
import { type Asked, bytesOf } from '../tampering/tamper.ts';
import { readingBody, refusing, textOf, withText } from '../tampering/when.ts';

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
  }),
  ...breaking('limits/below-10mb-passes', {
    'limits/eight-megabytes': refusing({ usable: true, where: isOver(8e6) }, 413),
    'limits/one-megabyte': refusing({ usable: true, where: isOver(1024 * 1024) }, 413),
  }),
];
