import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

/** What `npm run test:example` does: every example project, each with its own runner, over the package as it was built. */

const root = resolve(import.meta.dirname, '../..');
const bin = (name: string) => join(root, 'node_modules/.bin', name);
const further = process.argv.slice(2);
/** The machine may be busy: no test is about its own duration. */
const vitest = [bin('vitest'), 'run', '--test-timeout', '60000'];

const projects: readonly (readonly [folder: string, command: readonly string[]])[] = [
  ['partner-suite', [...vitest, ...further]],
  ['vitest', vitest],
  ['openapi-fetch', vitest],
  ['playwright', [bin('playwright'), 'test']],
];

for (const [folder, [program = '', ...args]] of projects) {
  execFileSync(program, args, { cwd: join(root, 'mock/proof/examples', folder), stdio: 'inherit' });
}
