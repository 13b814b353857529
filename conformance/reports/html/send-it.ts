/** A word of a command line with its quotes. */
export const word = /(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"\\])+/gs;
/** An address in quotes. */
const address = /^(['"])(https?:\/\/[^/'"]+)(.*)\1$/s;
/** A variable that says what it must be set to. */
const secret = /(?<!\\)(\$\{(\w+)):\?[^}]*\}/g;

/** Curl commands with a line for each option. What they share, the address and the secrets, is in one `export` before them. */
export function sendIt(curls: readonly string[]): string {
  const commands = curls.map((curl) => curl.match(word) ?? []);
  const [, , base] = address.exec(commands[0]?.at(-1) ?? '') ?? [];
  const shared = new Set(base === undefined ? [] : [`BASE=${base}`]);
  const shortened = (each: string) => {
    if (each === '-H' || each === '--data-binary') return `\\\n  ${each}`;
    const [, quote, host, rest = ''] = address.exec(each) ?? [];
    if (host !== undefined && host === base && (quote === '"' || !/["\\`$!]/.test(rest))) return `\\\n  "$BASE${rest}"`;
    // Nothing is expanded between single quotes.
    if (!each.startsWith('"')) return each;
    for (const [value, , name] of each.matchAll(secret)) shared.add(`${name}="${value}"`);
    return each.replace(secret, '$1}');
  };
  const lines = commands.map((words) => words.map(shortened).join(' '));
  return [...(shared.size === 0 ? [] : [`export ${[...shared].join(' \\\n  ')}`]), ...lines].join('\n\n');
}
