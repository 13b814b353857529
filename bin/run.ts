import { CommanderError, type OutputConfiguration } from '@commander-js/extra-typings';
import { MockError } from '../mock/mock-error.ts';
import { ConfigurationError } from '../spec/files/configuration-error.ts';
import { terminalText } from '../spec/text/terminal-text.ts';
import { createProgram } from './create-program.ts';

/** The exit code of every command for wrong usage or configuration. */
const usage = 2;
/** The exit code if a deployment cannot be reached, if partnerkit itself failed, or could not print its result. */
export const broken = 3;

/**
 * Runs one command line and returns its exit code. A command sets `process.exitCode` if its result has one.
 * @param argv the arguments after `partnerkit`.
 * @param output how help and completion scripts are printed
 */
export async function run(argv: readonly string[], output: OutputConfiguration = {}): Promise<number> {
  const program = await createProgram(argv, output);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usage;
    if (error instanceof ConfigurationError || error instanceof MockError) {
      for (const problem of error instanceof MockError ? [error.message] : error.problems)
        process.stderr.write(`partnerkit: ${terminalText(problem)}\n`);
      return usage;
    }
    // Loaded only here, because most commands need none of it.
    const { PreflightError, UntrueTarget } = await import('../conformance/index.ts');
    if (error instanceof PreflightError || error instanceof UntrueTarget) {
      process.stderr.write(`partnerkit: ${terminalText(error.message)}\n`);
      return error instanceof UntrueTarget ? usage : broken;
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`partnerkit: ${terminalText(text)}\n`);
    return broken;
  }
}
