import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

/** What `npm run test:example` does: every example project, each with its own runner, over the package as it was built. */

const root = resolve(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules/.bin', name);
const further = process.argv.slice(2);

const projects: readonly (readonly [folder: string, command: readonly string[]])[] = [
  ['partner-suite', [bin('vitest'), 'run', ...further]],
  ['vitest', [bin('vitest'), 'run']],
  ['openapi-fetch', [bin('vitest'), 'run']],
  ['playwright', [bin('playwright'), 'test']],
];

for (const [folder, [program = '', ...args]] of projects) {
  execFileSync(program, args, { cwd: join(root, 'mock/examples', folder), stdio: 'inherit' });
}
