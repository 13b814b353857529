import { readdirSync } from 'node:fs';
import type { OptionHandler } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Command } from 'commander';

/** Adds `completion`, which prints a script for a shell, and the hidden `complete`, which that script calls when Tab is pressed. */
export function addCompletion(program: CommandUnknownOpts, description: string): void {
  const words = tab(program as unknown as Command, { completionCommandName: 'completion' });
  program.commands
    .find((command) => command.name() === 'completion')
    ?.description(description)
    .addHelpText('after', help);
  // The library knows commands, options and values from a list; everything else may be a file.
  for (const command of words.commands.values()) {
    for (const option of command.options.values()) option.handler &&= orFiles(option.handler);
    for (const argument of command.arguments.values()) argument.handler ??= files;
  }
}

const help = `
Examples:
  eval "$(partnerkit completion bash)"     # in ~/.bashrc, after bash-completion
  eval "$(partnerkit completion zsh)"      # in ~/.zshrc, after compinit
  partnerkit completion fish | source      # in ~/.config/fish/config.fish`;

const orFiles = (offer: OptionHandler): OptionHandler =>
  function (complete, options) {
    const values: [value: string, description: string][] = [];
    offer.call(this, (...value) => values.push(value), options);
    if (values.length === 0) files(complete);
    for (const value of values) complete(...value);
  };

/** Offers the files beside what was typed. */
function files(complete: (value: string, description: string) => void): void {
  const folder = /^.*\//.exec(process.argv.at(-1) ?? '')?.[0] ?? '';
  for (const entry of readdirSync(folder || '.', { withFileTypes: true }))
    complete(`${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`, '');
}
