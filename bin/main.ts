import { CommanderError } from '@commander-js/extra-typings';
import { ConfigurationError } from '../spec/files/configuration-error.ts';
import { terminalText } from '../spec/text/terminal-text.ts';
import { createProgram } from './create-program.ts';
import { guardOutput } from './output/guard-output.ts';

/** The exit code of every command for wrong usage or configuration. */
const usage = 2;
/** The exit code if a deployment cannot be reached, if partnerkit itself failed, or could not print its result. */
const broken = 3;

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

/** Runs a command line in this process. @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  // Node would exit with 1, which says that a deployment is at fault.
  process.once('uncaughtException', (error) => {
    process.stderr.write(`partnerkit: ${terminalText(error.stack ?? String(error))}\n`);
    process.exit(broken);
  });
  let lost = false;
  const onLost = (error: Error) => {
    if (!lost) process.stderr.write(`partnerkit: output was lost: ${error.message}\n`);
    lost = true;
    // The stream may tell of it after the command has ended.
    process.exitCode = broken;
  };
  guardOutput(process.stdout, onLost);
  guardOutput(process.stderr, onLost);
  const code = await run(argv);
  return lost ? broken : code;
}
