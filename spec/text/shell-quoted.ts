/** Text as one word of a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Words as a command line; only words that need quotes have them. */
export const commandLine = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word))).join(' ');

/** Commands that set variables in a shell. */
export const exportLines = (variables: Readonly<Record<string, string>>): string[] =>
  Object.entries(variables).map(([name, value]) => `export ${name}=${shellQuoted(value)}`);

/**
 * Text as one word of a POSIX shell, in which variables are expanded.
 * @param variables the name of the variable for each text that stands for its value
 */
export function shellExpanded(text: string, variables: ReadonlyMap<string, string>): string {
  const longestFirst = [...variables.keys()].sort((a, b) => b.length - a.length).map(pattern);
  if (longestFirst.length === 0) return shellQuoted(text);
  const parts = text.split(new RegExp(`(${longestFirst.join('|')})`));
  if (parts.length === 1) return shellQuoted(text);
  const written = parts.map((part, i) =>
    i % 2 === 1 ? `\${${variables.get(part)}}` : part.replace(/["\\`$]/g, '\\$&'),
  );
  // An interactive shell takes an exclamation mark for a command of its history, also in double quotes.
  const word = written.join('').replaceAll('!', `"'!'"`);
  return `"${word.replace(/\$\{(\w+)\}(?!\w)/g, '$$$1')}"`;
}

/** An id may be a bare number, so it is not found within a longer word. */
function pattern(text: string): string {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.startsWith('$') ? escaped : `(?<![\\w-])${escaped}(?![\\w-])`;
}
