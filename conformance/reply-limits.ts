/** The longest reply that is read, in bytes. None of the API comes near it; one that does not end must not take all memory. */
export const longestReply = 4 * 1024 * 1024;

/** Up to this many characters a reply counts as small. */
const small = 64 * 1024;

/** What all larger replies of a run may be together, in characters: they are kept to its end, to be searched. */
const mostKept = 24 * 1024 * 1024;

/** RFC 8259 allows a reader such a limit. Nothing of the API is nested like that, and deeper ones overflow stacks. */
const deepest = 256;

/** Judges, for one run, whether a reply can be used. */
export interface ReplyLimits {
  /** Null when it can; else what is too much about it. */
  exceededBy(text: string): string | null;
}

export function createReplyLimits(): ReplyLimits {
  let kept = 0;
  return {
    exceededBy(text) {
      if (text.length > small) {
        kept += text.length;
        if (kept > mostKept) return `the long replies of this run are together larger than ${mostKept} characters`;
      }
      return nestsDeeperThan(text, deepest) ? `the reply nests brackets more than ${deepest} deep` : null;
    },
  };
}

const [quote, backslash, openBracket, openBrace, closeBracket, closeBrace] = [34, 92, 91, 123, 93, 125];

function nestsDeeperThan(text: string, most: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (quoted) {
      if (code === backslash) i++;
      else if (code === quote) quoted = false;
    } else if (code === quote) quoted = true;
    else if (code === openBracket || code === openBrace) {
      if (++depth > most) return true;
    } else if (code === closeBracket || code === closeBrace) depth--;
  }
  return false;
}
