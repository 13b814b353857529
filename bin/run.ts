import { CommanderError } from '@commander-js/extra-typings';
import { ConfigurationError } from '../spec/files/configuration-error.ts';
import { terminalText } from '../spec/text/terminal-text.ts';
import { createProgram } from './create-program.ts';

/** The exit code of every command for wrong usage or configuration. */
const usage = 2;
/** The exit code if a deployment cannot be reached, if partnerkit itself failed, or could not print its result. */
export const broken = 3;

/** The exit codes of errors that are no mistake of ours, by their names: most commands need none of the classes. */
const codes: Readonly<Record<string, number>> = {
  ConfigurationError: usage,
  MockError: usage,
  UntrueTarget: usage,
  PreflightError: broken,
};

/**
 * Runs one command line and returns its exit code. A command sets `process.exitCode` if its result has one.
 * @param argv the arguments after `partnerkit`.
 */
export async function run(argv: readonly string[]): Promise<number> {
  const program = await createProgram(argv);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usage;
    const { name, stack, message } = error instanceof Error ? error : { name: '', message: String(error) };
    const code = codes[name];
    const problems = error instanceof ConfigurationError ? error.problems : [code === undefined ? stack : message];
    for (const problem of problems) process.stderr.write(`partnerkit: ${terminalText(problem ?? message)}\n`);
    return code ?? broken;
  }
}
