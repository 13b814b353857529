import type { Command } from '@commander-js/extra-typings';
import { ConfigurationError } from '../spec/files/configuration-error.ts';

/** Commands of earlier versions answer with what to use in their place. */
export function addRenamed(group: Command, renamed: Readonly<Record<string, string>>): void {
  for (const [name, now] of Object.entries(renamed))
    group
      .command(name, { hidden: true })
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        throw new ConfigurationError([`\`${group.name()} ${name}\` is now \`${now}\``]);
      });
}
