import { guardOutput } from './output/guard-output.ts';
import { run } from './run.ts';

/** The process `partnerkit`: one command line with the process's own output. @returns its exit code */
export function main(argv: readonly string[]): Promise<number> {
  guardOutput(process.stdout);
  guardOutput(process.stderr);
  return run(argv);
}
