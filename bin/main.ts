import { terminalText } from '../spec/text/terminal-text.ts';
import { guardOutput } from './output/guard-output.ts';
import { broken, run } from './run.ts';

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
