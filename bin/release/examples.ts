import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

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
  ['playwright', [bin('playwright'), 'test', '--timeout', '120000']],
];

for (const [folder, [program = '', ...args]] of projects) {
  execFileSync(program, args, { cwd: join(root, 'mock/proof/examples', folder), stdio: 'inherit' });
}

// Its client is judged, too, by some of all that there is.
execFileSync(
  process.execPath,
  [
    join(root, 'dist/bin/partnerkit.js'),
    ...['certify', '--strict', '--only', 'duties', 'absent-fields', 'lost-reply', 'storage-lost-reply', 'url-expires'],
    ...['--', bin('vitest'), 'run'],
  ],
  { cwd: join(root, 'mock/proof/examples/partner-suite'), stdio: 'inherit' },
);

/** Those in other languages, over the control API of a mock that runs; where this machine has the language. */
const foreign: readonly (readonly [folder: string, command: readonly string[]])[] = [
  ['go', ['go', 'test', '-count=1', './...']],
  ['java', ['java', 'PartnerTest.java']],
];

const mock = spawn(process.execPath, [join(root, 'dist/bin/partnerkit.js'), 'mock', '--port', '0', '--quiet'], {
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
