import { readFileSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import { packaged } from '../../spec/packaged.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;

/** `partnerkit completion`: prints a script for a shell. `npm run generate` writes the scripts. */
export function completionCommand(command: Command): void {
  command
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  eval "$(partnerkit completion bash)"     # in ~/.bashrc',
        '  eval "$(partnerkit completion zsh)"      # in ~/.zshrc, after compinit',
        '  partnerkit completion fish | source      # in ~/.config/fish/config.fish',
      ].join('\n'),
    )
    .action((shell: string) => {
      command.configureOutput().writeOut?.(readFileSync(packaged(`bin/completion/partnerkit.${shell}`), 'utf8'));
    });
}
