/** A step summary on GitHub holds 1 MiB. The last KiB is for the note below. */
const maxBytes = 1024 * 1024 - 1024;

/** Joins as many blocks as fit into a step summary, and says how many did not. */
export function fitting(blocks: readonly string[]): string {
  let text = '';
  let size = 0;
  for (const [position, block] of blocks.entries()) {
    const bytes = Buffer.byteLength(block);
    if (size + bytes > maxBytes) {
      return `${text}\n_Cut here: ${blocks.length - position} more parts would not fit into 1 MiB; see the HTML or JSON report._\n`;
    }
    text += block;
    size += bytes;
  }
  return text;
}

/** Escapes text from elsewhere, so that it is no markup and stays on one line and in its table cell. */
export const inline = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]|~#!]/g, '\\$&')
    .replace(/\s+/g, ' ');

/** Inline code as HTML, because Markdown shows entities in backticks literally, and a bare pipe would end the table cell. */
export const code = (text: string) =>
  `<code>${inline(text)
    .replaceAll('\\|', '&#124;')
    .replace(/\\([\\`*_[\]~#!])/g, (_, mark: string) => `&#${mark.charCodeAt(0)};`)}</code>`;

/** A block of shell, with a fence longer than any run of backticks in it. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}sh\n${text}\n${fence}`;
}
