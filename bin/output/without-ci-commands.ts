/**
 * Makes the commands of CI runners plain text, by one blank more: `##vso[` and `##[` (Azure, and earlier GitHub),
 * `##teamcity[`, and GitHub's `::add-mask::` at the start of a line.
 * @param atLineStart whether the text starts a line
 */
export function withoutCiCommands(text: string, atLineStart = true): string {
  // A fast path: nearly all text has neither.
  if (!text.includes('##') && !text.includes('::')) return text;
  const clean = text.replace(/##(?=[\w-]*\[)/g, '# #').replace(inner, '$1: ');
  return atLineStart ? clean.replace(first, '$1: ') : clean;
}

// GitHub's runner is a .NET program: a carriage return ends a line as well, and U+0085 is a blank.
const inner = /([\n\r][\s\x85]*):(?=:)/g;
const first = /^([\s\x85]*):(?=:)/;

/** Whether text after this one starts a line for a CI runner. Blanks at the start of a line do not matter. */
export const endsAtLineStart = (text: string): boolean => /(?:^|[\n\r])[\s\x85]*$/.test(text);
