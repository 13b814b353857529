import type { shells } from '../../../commands/completion.ts';
import type { CommandWords, Words } from './words-of.ts';

export type Shell = (typeof shells)[number];

/** A script that completes commands, options and files. It contains all words, so that no program runs when a key is pressed. */
export function completionScript(shell: Shell, words: Words): string {
  return { bash, zsh, fish }[shell](words);
}

const wordsIn = ({ subcommands, choices, options }: CommandWords) =>
  [...subcommands.map(({ name }) => name), ...choices, ...options.map(({ long }) => long)].join(' ');

/** Sets `list` to the words that may follow the command in `at`. */
const follows = (words: Words, list: string) =>
  [...words].map(([path, command]) => `    '${path}') ${list}='${wordsIn(command)}' ;;`).join('\n');

/** After an option with a value: its values, or nothing, so that the shell offers files. */
const values = (words: Words, list: string) =>
  [...words]
    .flatMap(([path, { options }]) =>
      options
        .filter(({ takesValue }) => takesValue)
        .map(({ long, choices }) => `    '${`${path} ${long}`.trim()}') ${list}='${choices.join(' ')}' ;;`),
    )
    .join('\n');

/** The words of the line that form a command, without options and arguments. */
const knownPaths = (words: Words) => [...words.keys()].filter((path) => path !== '').map((path) => `'${path}'`);

/** For bash and zsh: sets `at` to the command before the cursor, and `list` to the words that may follow. */
const listing = (words: Words, before: string) => `  for word in "${before}"; do
    next="\${at:+$at }$word"
    case "$next" in
      ${knownPaths(words).join('|')}) at="$next" ;;
    esac
  done
  case "$at" in
${follows(words, 'list')}
  esac
  case "\${at:+$at }$previous" in
${values(words, 'list')}
  esac`;

const bash = (words: Words) => `# partnerkit completion bash
_partnerkit() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" at='' list='' word next
${listing(words, `\${COMP_WORDS[@]:1:COMP_CWORD-1}`)}
  COMPREPLY=($(compgen -W "$list" -- "$current"))
}
complete -o default -F _partnerkit partnerkit
`;

const zsh = (words: Words) => `#compdef partnerkit
# partnerkit completion zsh
_partnerkit() {
  local at='' list='' previous="\${words[CURRENT-1]}" word next
${listing(words, `\${(@)words[2,CURRENT-1]}`)}
  compadd -- \${=list} || _files
}
compdef _partnerkit partnerkit
`;

const fish = (words: Words) => {
  const lines = [...words].flatMap(([path, command]) => {
    const { subcommands, options, choices, takesText } = command;
    const seen = path.split(' ').flatMap((word) => (word === '' ? [] : [`__fish_seen_subcommand_from ${word}`]));
    const names = subcommands.map(({ name }) => name);
    const none = names.length > 0 ? [`not __fish_seen_subcommand_from ${names.join(' ')}`] : [];
    const here = `complete -c partnerkit -n '${[...seen, ...none].join('; and ')}'`;
    return [
      // Files are offered only if an argument can be a file.
      takesText ? `${here} -F` : `${here} -f`,
      ...(choices.length > 0 ? [`${here} -a '${choices.join(' ')}'`] : []),
      ...subcommands.map(({ name, description }) => `${here} -a ${name} -d ${quoted(description)}`),
      ...options.map(({ long, description, takesValue, choices }) => {
        const value = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takesValue ? ' -r -F' : '';
        return `${here} -l ${long.slice(2)}${value} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# partnerkit completion fish\n${lines.join('\n')}\n`;
};

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
