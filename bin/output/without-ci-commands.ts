/**
 * The text without what CI runners take for commands, wherever it came from: `##vso[` and `##[` (Azure, and GitHub of old),
 * `##teamcity[`, and GitHub's `::add-mask::` at the beginning of a line. It reads as before, with one blank more.
 * @param atLineStart whether the text begins a line
 */
export function withoutCiCommands(text: string, atLineStart = true): string {
  // Quick: nearly all that is printed has neither.
  if (!text.includes('##') && !text.includes('::')) return text;
  const clean = text.replace(/##(?=[\w-]*\[)/g, '# #').replace(/(\n[^\S\n]*):(?=:)/g, '$1: ');
  return atLineStart ? clean.replace(/^([^\S\n]*):(?=:)/, '$1: ') : clean;
}
