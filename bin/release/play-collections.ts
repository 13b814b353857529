import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createMock } from '../../mock/index.ts';
import { runCommand } from './package-check/command.ts';

/**
 * Runs the files of `partnerkit export` against a mock, with the programs for which they are: newman (Postman), bru (Bruno) and
 * httpyac (.http files). The programs are installed only here, because they are larger than the whole kit. With arguments it runs only these
 * formats, because an installation takes minutes.
 */

const programs: Readonly<Record<string, { dependencies: Record<string, string>; run(): Promise<void> }>> = {
  postman: {
    dependencies: { newman: '6.2.2' },
    run: () => use('postman', 'collection.json', 'newman', ['run', 'collection.json']),
  },
  bruno: {
    dependencies: { '@usebruno/cli': '4.1.0' },
    run: () => use('bruno', 'bruno', 'bru', ['run'], 'bruno'),
  },
  http: {
    dependencies: { httpyac: '6.16.7' },
    run: () => use('http', 'requests.http', 'httpyac', ['send', 'requests.http', '--all', '--bail']),
  },
};
const wanted = Object.entries(programs).filter(([name]) => process.argv.length < 3 || process.argv.includes(name));
const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'partnerkit-collections-'));
const mock = await createMock();
const { url } = await mock.listen({ port: 0 });
try {
  const dependencies = Object.assign({}, ...wanted.map(([, program]) => program.dependencies));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const npm = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  await runCommand('npm', npm, { cwd: folder, env: process.env, timeout: 600_000 });
  for (const [, { run }] of wanted) await run();
} finally {
  await mock.close();
  rmSync(folder, { recursive: true });
}

async function use(format: string, file: string, program: string, args: readonly string[], cwd = '.'): Promise<void> {
  const words = ['bin/partnerkit.ts', 'export', format, '--mock', url, '--out', join(folder, file)];
  await runCommand(process.execPath, words, { cwd: root, env: process.env });
  await runCommand(join(folder, 'node_modules/.bin', program), args, { cwd: join(folder, cwd), env: process.env });
  // Independent of the exit code of the program: the file is registered, so all steps have worked.
  const registered = mock.journal.count({ operationId: 'registerSiteFile', status: 201 });
  if (registered !== 1) throw new Error(`${program} registered ${registered} files`);
  if (mock.journal.count({ status: 429 }) === 0) throw new Error(`${program} met no 429`);
  mock.reset();
  process.stdout.write(`${format}: ${program} runs all of it\n`);
}
