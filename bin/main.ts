import { terminalText } from '../spec/text/terminal-text.ts';
import { guardOutput } from './output/guard-output.ts';
import { printing } from './output/printing.ts';
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
  guardOnceUsed('stdout', onLost);
  guardOnceUsed('stderr', onLost);
  const code = await run(argv, printing);
  return lost ? broken : code;
}

/** Node makes its streams when they are used first, which takes milliseconds. */
function guardOnceUsed(name: 'stdout' | 'stderr', onLost: (error: Error) => void): void {
  const { get: make } = Object.getOwnPropertyDescriptor(process, name) ?? {};
  const get = (): NodeJS.WriteStream => {
    const value = make?.call(process);
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true });
    guardOutput(value, onLost);
    return value;
  };
  Object.defineProperty(process, name, { get, configurable: true, enumerable: true });
}
