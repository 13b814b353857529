import { guardOutput } from './output/guard-output.ts';
import { run } from './run.ts';

/** Runs a command line in this process. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  guardOutput(process.stdout);
  guardOutput(process.stderr);
  return run(argv);
}
