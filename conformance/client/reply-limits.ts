import { createHash } from 'node:crypto';
import { jsonExtent } from '../../spec/json-extent.ts';

/** The longest reply that is read, in bytes. Replies of the API are far shorter; an endless reply must not exhaust the memory. */
export const longestReply = 4 * 1024 * 1024;

/** Up to this many bytes a reply counts as small. */
const small = 64 * 1024;

/** How many bytes all larger replies of a run may take together. Replies are kept to the end of the run; equal replies are kept once. */
const mostKept = 256 * 1024 * 1024;

/** About what a parsed value takes, in bytes: three characters can become an array. */
const valueSize = 64;

/** No reply of the API is nested this deep; deeper JSON overflows stacks. */
const deepest = 256;

/** No reply of the API has this many values, which take far more memory than their text. */
const mostValues = 200_000;

/** Judges, for one run, whether a reply can be used. */
interface ReplyLimits {
  /** Null when the reply can be used; else which limit the reply exceeds. */
  exceededBy(body: Uint8Array): string | null;
}

export function createReplyLimits(): ReplyLimits {
  const known = new Set<string>();
  let kept = 0;
  return {
    exceededBy(body) {
      const { depth, values } = jsonExtent(body, deepest);
      if (depth > deepest) return `the reply nests brackets more than ${deepest} deep`;
      if (values > mostValues) return `the reply has more than ${mostValues} values`;
      if (body.length <= small) return null;
      const digest = createHash('sha256').update(body).digest('base64');
      if (known.has(digest)) return null;
      known.add(digest);
      kept += body.length + values * valueSize;
      return kept > mostKept ? `the long replies of this run are together larger than ${mostKept / 2 ** 20} MB` : null;
    },
  };
}
