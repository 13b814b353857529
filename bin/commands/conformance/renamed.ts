import type { Command } from 'commander';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';

/** Commands of earlier versions, and what to use in their place. */
const renamed = {
  diff: 'compare EARLIER LATER',
  drift: 'compare PROFILE --target FILE',
  replay: 'reproduce REPORT RULE --target FILE',
} as const;

/** The old names answer with the new ones. */
export function addRenamedCommands(group: Command): void {
  for (const [name, now] of Object.entries(renamed))
    group
      .command(name, { hidden: true })
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        throw new ConfigurationError([`\`conformance ${name}\` is now \`conformance ${now}\``]);
      });
}
