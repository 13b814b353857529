import { Command, CommanderError } from 'commander';
import { ConfigurationError } from '../spec/configuration-error.ts';
import { addConformanceCommand } from './commands/conformance.ts';
import { addLoadCommand } from './commands/load.ts';
import { addMockCommand } from './commands/mock.ts';
import { addRulesCommand } from './commands/rules.ts';

/** Exit code for bad usage and bad configuration, of every command. */
const usage = 2;
/** Exit code when partnerkit itself broke: nothing was proved either way. */
const broken = 3;

/**
 * Runs one command line and returns its exit code. A command sets `process.exitCode` itself where its outcome has one.
 * @param argv the arguments after `partnerkit`.
 */
export async function run(argv: readonly string[]): Promise<number> {
  const program = new Command('partnerkit')
    .description('A mock, a conformance runner and k6 load verdicts for the partner API, over one contract.')
    .showHelpAfterError('(add --help to see the options)')
    .showSuggestionAfterError()
    .exitOverride();
  // Commands inherit the settings above, so they are added by name here and not as finished objects.
  addMockCommand(program);
  addConformanceCommand(program);
  addLoadCommand(program);
  addRulesCommand(program);

  try {
    await program.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usage;
    if (error instanceof ConfigurationError) {
      for (const problem of error.problems) process.stderr.write(`partnerkit: ${problem}\n`);
      return usage;
    }
    process.stderr.write(`partnerkit: ${error instanceof Error ? error.stack : String(error)}\n`);
    return broken;
  }
}
