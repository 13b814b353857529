import type { shells } from '../../../commands/completion.ts';
import type { CommandWords, Words } from './words-of.ts';

export type Shell = (typeof shells)[number];

/** A script that completes the commands and options of partnerkit, and files elsewhere; nothing runs when a key is pressed. */
export function completionScript(shell: Shell, words: Words): string {
  return { bash, zsh, fish }[shell](words);
}

const wordsIn = ({ subcommands, choices, options }: CommandWords) =>
  [...subcommands.map(({ name }) => name), ...choices, ...options.map(({ long }) => long)].join(' ');

/** Sets `list` to what may follow the command whose name is in `at`. */
const follows = (words: Words, list: string) =>
  [...words].map(([path, command]) => `    '${path}') ${list}='${wordsIn(command)}' ;;`).join('\n');

/** After an option that takes a value: its values, or none of our words, so that the shell offers files. */
const values = (words: Words, list: string) =>
  [...words]
    .flatMap(([path, { options }]) =>
      options
        .filter(({ takesValue }) => takesValue)
        .map(({ long, choices }) => `    '${`${path} ${long}`.trim()}') ${list}='${choices.join(' ')}' ;;`),
    )
    .join('\n');

/** The part of the line that names a command: words that neither are options nor go beyond a known command. */
const knownPaths = (words: Words) => [...words.keys()].filter((path) => path !== '').map((path) => `'${path}'`);

/** Bash and zsh: sets `at` to the command that the words before the cursor name, and `list` to what may follow. */
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
      // Files only where an argument can be one.
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
