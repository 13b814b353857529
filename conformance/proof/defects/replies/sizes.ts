import { defaultBodyLimit } from '../../../../mock/index.ts';
import { errorWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, bytesOf, instead } from '../../../../mock/proof/tampering/tamper.ts';
import type { RuleId } from '../../../../spec/rules.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { usable } from '../../tampering/predicates.ts';
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
  }),
];
