import { createHash } from 'node:crypto';
import { jsonExtent } from '../../spec/json-extent.ts';

/** The longest reply that is read, in bytes. None of the API comes near it; one that does not end must not take all memory. */
export const longestReply = 4 * 1024 * 1024;

/** Up to this many bytes a reply counts as small. */
const small = 64 * 1024;

/** What all larger replies of a run may take together, in bytes: they are kept to its end, to be searched. The same reply is kept once. */
const mostKept = 256 * 1024 * 1024;

/** About what a parsed value takes, in bytes: three characters can become an array. */
const valueSize = 64;

/** Nothing of the API is nested like that, and deeper ones overflow stacks. */
const deepest = 256;

/** Nothing of the API has so many values, which take far more memory than their text. */
const mostValues = 200_000;

/** Judges, for one run, whether a reply can be used. */
export interface ReplyLimits {
  /** Null when it can; else what is too much about it. */
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
