import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** `npm run test:example` runs all example projects with their test runners, against the built package. */

const root = resolve(import.meta.dirname, '../..');
const bin = (name: string) => join(root, 'node_modules/.bin', name);
const further = process.argv.slice(2);
/** A long timeout, because the machine may be busy. */
const vitest = [bin('vitest'), 'run', '--test-timeout', '60000'];

const projects: readonly (readonly [folder: string, command: readonly string[]])[] = [
  ['partner-suite', [...vitest, ...further]],
  ['vitest', vitest],
  ['openapi-fetch', vitest],
  ['playwright', [bin('playwright'), 'test', '--timeout', '120000']],
];

for (const [folder, [program = '', ...args]] of projects) {
  execFileSync(program, args, { cwd: join(root, 'mock/proof/examples', folder), stdio: 'inherit' });
}

// The client of this project is also certified, with some duties and variations.
execFileSync(
  process.execPath,
  [
    join(root, 'dist/bin/partnerkit.cjs'),
    ...['certify', '--strict', '--only', 'duties', 'absent-fields', 'lost-reply', 'storage-lost-reply', 'url-expires'],
    ...['--', bin('vitest'), 'run'],
  ],
  { cwd: join(root, 'mock/proof/examples/partner-suite'), stdio: 'inherit' },
);

/** Examples in other languages. They use a running mock, and run only if this machine has the language. */
const foreign: readonly (readonly [folder: string, command: readonly string[]])[] = [
  ['go', ['go', 'test', '-count=1', './...']],
  ['java', ['java', 'PartnerTest.java']],
];

const mock = spawn(process.execPath, [join(root, 'dist/bin/partnerkit.cjs'), 'mock', '--port', '0', '--quiet'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [url] = await once(createInterface(mock.stdout), 'line');
  for (const [folder, [program = '', ...args]] of foreign) {
    if (spawnSync(program, ['-version']).error !== undefined) {
      process.stdout.write(`${folder}: NOT run, there is no ${program} here\n`);
      continue;
    }
    const cwd = join(root, 'mock/proof/examples', folder);
    execFileSync(program, args, { cwd, stdio: 'inherit', env: { ...process.env, PARTNERKIT_URL: url } });
  }
} finally {
  mock.kill();
}
