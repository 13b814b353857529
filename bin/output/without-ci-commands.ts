/**
 * The text without what CI runners take for commands, wherever it came from: `##vso[` and `##[` (Azure, and GitHub of old),
 * `##teamcity[`, and GitHub's `::add-mask::` at the beginning of a line. It reads as before, with one blank more.
 * @param atLineStart whether the text begins a line
 */
export function withoutCiCommands(text: string, atLineStart = true): string {
  // Quick: nearly all that is printed has neither.
  if (!text.includes('##') && !text.includes('::')) return text;
  const clean = text.replace(/##(?=[\w-]*\[)/g, '# #').replace(inner, '$1: ');
  return atLineStart ? clean.replace(first, '$1: ') : clean;
}

// The runner of GitHub is a .NET program: a line ends at a carriage return too, and U+0085 is a blank to it.
const inner = /([\n\r][\s\x85]*):(?=:)/g;
const first = /^([\s\x85]*):(?=:)/;

/** Whether what comes next begins a line for such a runner, but for blanks. */
export const endsAtLineStart = (text: string): boolean => /(?:^|[\n\r])[\s\x85]*$/.test(text);
