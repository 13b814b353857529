import { createHash } from 'node:crypto';
import { jsonExtent } from '../../spec/json-extent.ts';

/** Bytes of one reply. Replies of the API are far shorter; an endless reply must not exhaust the memory. */
export const maxReply = 4 * 1024 * 1024;

/** Smaller replies do not count towards `maxKept`, in bytes. */
const smallReply = 64 * 1024;

/** Bytes of all larger replies of a run together. Replies are kept to the end of the run; equal replies are kept once. */
const maxKept = 256 * 1024 * 1024;

/** Approximate bytes of a parsed value, which may take more memory than its text: `[]` becomes an array. */
const valueSize = 64;

/** No reply of the API is nested this deep; deeper JSON overflows the stack. */
const maxDepth = 256;

/** No reply of the API has this many values. */
const maxValues = 200_000;

/** Protects the memory of one run against huge replies. */
interface ReplyLimits {
  /** The limit that the reply exceeds, in words; null when the reply can be used. */
  exceededBy(body: Uint8Array): string | null;
}

export function createReplyLimits(): ReplyLimits {
  const digests = new Set<string>();
  let kept = 0;
  return {
    exceededBy(body) {
      const { depth, values } = jsonExtent(body, maxDepth);
      if (depth > maxDepth) return `the reply nests brackets more than ${maxDepth} deep`;
      if (values > maxValues) return `the reply has more than ${maxValues} values`;
      if (body.length <= smallReply) return null;
      const digest = createHash('sha256').update(body).digest('base64');
      if (digests.has(digest)) return null;
      digests.add(digest);
      kept += body.length + values * valueSize;
      return kept > maxKept ? `the long replies of this run are together larger than ${maxKept / 2 ** 20} MB` : null;
    },
  };
}
