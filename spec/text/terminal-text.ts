/**
 * Text that came from elsewhere, made safe for a terminal and a CI log: nothing that moves the cursor, changes a title or
 * turns the reading direction survives. Newlines and tabs stay.
 */
export const terminalText = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, '\ufffd');

/**
 * The same in one line: a reply must not put up a line of its own that reads like one of ours, nor one that begins with
 * `::` or holds `##[`, which CI runners take for commands.
 */
export const terminalLine = (text: string): string =>
  terminalText(text)
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .replaceAll('##[', '# #[');

/** A report whose texts stay in their lines and move no cursor, whatever replies held. */
export function withoutControls<T>(report: T): T {
  const clean = (_: string, value: unknown) => (typeof value === 'string' ? terminalLine(value) : value);
  return JSON.parse(JSON.stringify(report, clean));
}
