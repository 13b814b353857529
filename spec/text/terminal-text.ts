/**
 * Makes foreign text safe for a terminal and a CI log: removes characters that move the cursor, change the title or
 * the reading direction. Newlines and tabs stay.
 */
export const terminalText = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, '\ufffd');

/**
 * The same in one line. So a reply cannot print a line that looks like ours, or that has `::` at its start or `##[`, which CI
 * runners take for commands.
 */
export const terminalLine = (text: string): string =>
  terminalText(text)
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .replaceAll('##[', '# #[');

/** A copy of a report with `terminalLine` applied to all texts. */
export function withoutControls<T>(report: T): T {
  const clean = (_: string, value: unknown) => (typeof value === 'string' ? terminalLine(value) : value);
  return JSON.parse(JSON.stringify(report, clean));
}
