import type { Words } from './words-of.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** A script that completes the commands and options of partnerkit, and files elsewhere; nothing runs when a key is pressed. */
export function completionScript(shell: Shell, words: Words): string {
  return { bash, zsh, fish }[shell](words);
}

const cases = (words: Words) =>
  [...words].map(([path, list]) => `    '${path}') words='${list.join(' ')}' ;;`).join('\n');

/** The part of the line that names a command: words that neither are options nor go beyond a known command. */
const knownPaths = (words: Words) => [...words.keys()].filter((path) => path !== '').map((path) => `'${path}'`);

const bash = (words: Words) => `# partnerkit completion bash
_partnerkit() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words='' word next
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    case "$next" in
      ${knownPaths(words).join('|')}) path="$next" ;;
    esac
  done
  case "$path" in
${cases(words)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _partnerkit partnerkit
`;

const zsh = (words: Words) => `#compdef partnerkit
# partnerkit completion zsh
_partnerkit() {
  local commandpath='' words_='' word next
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${commandpath:+$commandpath }$word"
    case "$next" in
      ${knownPaths(words).join('|')}) commandpath="$next" ;;
    esac
  done
  case "$commandpath" in
${cases(words).replaceAll(" words='", " words_='")}
  esac
  compadd -- \${=words_} || _files
}
compdef _partnerkit partnerkit
`;

const fish = (words: Words) => {
  const lines = [...words].map(([path, list]) => {
    const own = path.split(' ').filter((word) => word !== '');
    const seen = own.map((word) => `__fish_seen_subcommand_from ${word}`);
    const subcommands = list.filter((word) => !word.startsWith('-'));
    const none = subcommands.length > 0 ? [`not __fish_seen_subcommand_from ${subcommands.join(' ')}`] : [];
    const condition = [...seen, ...none].join('; and ');
    return `complete -c partnerkit ${condition === '' ? '' : `-n '${condition}' `}-a '${list.join(' ')}'`;
  });
  return `# partnerkit completion fish\n${lines.join('\n')}\n`;
};
