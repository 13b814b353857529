import { Argument, type Command } from 'commander';
import { completionScript, type Shell, shells } from '../completion/completion-script.ts';
import { wordsOf } from '../completion/words-of.ts';

/** `partnerkit completion`: a script for a shell, made from the commands there are. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script with which a shell completes commands and options')
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
    .action((shell: Shell) => {
      process.stdout.write(completionScript(shell, wordsOf(program)));
    });
}
