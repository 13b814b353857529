import { defaultBodyLimit } from '../../../../mock/index.ts';
import { errorWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, bytesOf, instead } from '../../../../mock/proof/tampering/tamper.ts';
import type { RuleId } from '../../../../spec/rules.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { isChunked, usable } from '../../tampering/predicates.ts';
import { readingBody, refusing } from '../../tampering/when.ts';

/** A wrong size limit. It strikes where the right limit would decide otherwise. */
const bodiesUpTo = (limit: number, name: string, breaks: RuleId, does: string): Defect => ({
  id: `limits/${name}`,
  breaks,
  does,
  options: () => ({ bodyLimit: Number.MAX_SAFE_INTEGER }),
  around: (scene) =>
    instead((asked) => {
      const { length } = bytesOf(asked.request);
      if (asked.id === 'storage' || !usable(asked)) return undefined;
      if (length > limit !== length > defaultBodyLimit) scene.reached();
      return length > limit ? errorWith(413, 'PAYLOAD_TOO_LARGE') : undefined;
    })(scene),
});

const isTooLarge = ({ id, request }: Asked) => id !== 'storage' && bytesOf(request).length > defaultBodyLimit;

/** Whether the body is over 1 MB, and not over the limit. */
const isOverOneMegabyte = ({ request }: Asked) => {
  const { length } = bytesOf(request);
  return length > 1024 * 1024 && length <= defaultBodyLimit;
};

/** Other limits of the size of bodies. */
export const sizes: readonly Defect[] = [
  bodiesUpTo(8e6, 'eight-megabytes', 'limits/below-10mb-passes', 'refuses bodies over 8 MB'),
  bodiesUpTo(16 * 1024 ** 2, 'sixteen-megabytes', 'limits/above-10mb-is-refused', 'takes bodies up to 16 MB'),
  ...breaking('limits/above-10mb-is-refused', {
    'limits/too-large-is-500': [
      'breaks on a body over the limit',
      refusing({ usable: true, where: isTooLarge }, 500, 'out of memory'),
    ],
    'limits/too-large-is-cut-off': [
      'reads the first 10 MB of a larger body and serves them',
      readingBody({ id: 'startSiteFileUpload', where: isTooLarge }, () => '{"contentType":"text/plain"}'),
    ],
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
