/** What a step summary may hold, in bytes, less room for the note that says what was left out. */
const mostBytes = 1024 * 1024 - 1024;

/** Blocks of a page, as many as fit into a step summary. */
export function fitting(blocks: readonly string[]): string {
  let text = '';
  let size = 0;
  for (const [position, block] of blocks.entries()) {
    const bytes = Buffer.byteLength(block);
    if (size + bytes > mostBytes) {
      return `${text}\n_Cut here: ${blocks.length - position} more parts would not fit into 1 MiB; see the HTML or JSON report._\n`;
    }
    text += block;
    size += bytes;
  }
  return text;
}

/** Text that came from elsewhere: no markup of it survives, and it stays in its line and cell. */
export const inline = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]|~#!]/g, '\\$&')
    .replace(/\s+/g, ' ');

/** As code in one line; the pipe as an entity would show literally there, so HTML is used. */
export const code = (text: string) =>
  `<code>${inline(text)
    .replaceAll('\\|', '&#124;')
    .replace(/\\([\\`*_[\]~#!])/g, (_, mark: string) => `&#${mark.charCodeAt(0)};`)}</code>`;

/** A block of shell, whatever it holds. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}sh\n${text}\n${fence}`;
}
