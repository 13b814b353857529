import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { started } from '../../spec/proof/processes.ts';
import { root, run } from './programs.ts';

/**
 * Runs the example projects with their test runners.
 * @param folder where they lie: in this checkout, or copied into a project that has partnerkit installed
 */
export async function runExamples(folder: string, env = process.env): Promise<void> {
  for (const example of ['partner-suite', 'vitest', 'openapi-fetch'])
    await run('npx', ['vitest', 'run', '--test-timeout', '60000'], { cwd: join(folder, example), env });
  await run('npx', ['playwright', 'test', '--timeout', '120000'], { cwd: join(folder, 'playwright'), env });
}

/** Certifies the client of this project, with some duties and variations. */
async function certifyClient(command: string, cwd: string): Promise<void> {
  const few = ['duties', 'absent-fields', 'lost-reply', 'storage-lost-reply', 'url-expires'];
  const client = ['--', 'npx', 'vitest', 'run'];
  await run(process.execPath, [command, 'certify', '--strict', '--only', ...few, ...client], { cwd });
}

/** Examples in languages that this machine may lack; they use a running mock. */
async function runForeign(command: string, folder: string): Promise<void> {
  using mock = await started([process.execPath, command, 'mock', '--port', '0', '--quiet']);
  const env = { ...process.env, PARTNERKIT_URL: mock.line };
  for (const [program, cwd, ...args] of [
    ['go', 'go', 'test', '-count=1', './...'],
    ['java', 'java', 'PartnerTest.java'],
  ] as const) {
    if (spawnSync(program, ['-version']).error) process.stdout.write(`NOT run: there is no ${program} here\n`);
    else await run(program, args, { cwd: join(folder, cwd), env });
  }
}

// `npm run test:example`, against the built package.
if (import.meta.main) {
  const [folder, command] = [join(root, 'mock/proof/examples'), join(root, 'dist/bin/partnerkit.cjs')];
  await runExamples(folder);
  await certifyClient(command, join(folder, 'partner-suite'));
  await runForeign(command, folder);
}
