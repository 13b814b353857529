/** A word of a command line with its quotes. */
const word = /(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"\\])+/gs;
/** An address in quotes. */
const address = /^(['"])(https?:\/\/[^/'"]+)(.*)\1$/s;
/** A variable that says what it must be set to. */
const secret = /(?<!\\)(\$\{(\w+)):\?[^}]*\}/g;
/** Nothing is expanded between single quotes. */
const isExpanded = (each: string) => each.startsWith('"');
const isOption = (each: string) => each === '-H' || each === '--data-binary';

/** Curl commands in lines that are read at a glance. What they share, the address and the secrets, is in one `export` before them. */
export function sendIt(curls: readonly string[]): string {
  const commands = curls.map((curl) => curl.match(word) ?? []);
  const [, , base] = address.exec(commands[0]?.at(-1) ?? '') ?? [];
  const secrets = commands.flat().flatMap((each) => (isExpanded(each) ? [...each.matchAll(secret)] : []));
  const shared = [
    ...(base === undefined ? [] : [`BASE=${base}`]),
    ...new Set(secrets.map(([value, , name]) => `${name}="${value}"`)),
  ];
  const lines = commands.map((command) => {
    const words = command.map((each) => (isExpanded(each) ? each.replace(secret, '$1}') : each));
    const url = words.pop()?.replace(address, (all, quote, host, rest) => {
      const isSame = quote === '"' || !/["\\`$!]/.test(rest);
      return isSame && host === base ? `"$BASE${rest}"` : all;
    });
    const options = words.map((each) => (isOption(each) ? `\\\n  ${each}` : each));
    const first = words.findIndex(isOption);
    return options.toSpliced(first < 0 ? words.length : first, 0, `${url}`).join(' ');
  });
  return [...(shared.length === 0 ? [] : [`export ${shared.join(' \\\n  ')}`]), ...lines].join('\n\n');
}
