import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { slowFront } from '../../../mock/proof/slow-front.ts';
import { readYamlFile } from '../../../spec/files/read-file.ts';
import { saidBy } from '../../../spec/proof/processes.ts';

const root = join(import.meta.dirname, '../../..');
const holder = { conversation: 'c0000001-0000-4000-8000-000000000001' };
const folder = mkdtempSync(join(tmpdir(), 'partnerkit-killed-'));
const targetFile = join(folder, 'target.json');
afterAll(() => rmSync(folder, { recursive: true }));

function command(journal: string, ...args: string[]) {
  const all = ['bin/partnerkit.ts', 'conformance', ...args, '--target', targetFile, '--journal', journal];
  return spawn(process.execPath, all, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
}

it.each([
  { write: 2, step: 'done', when: 'after the deployment has done the second write' },
  { write: 3, step: 'arrived', when: 'before the deployment sees the third write' },
])('conformance cleanup takes the label off after kill -9 $when', async ({ write, step }) => {
  let killed = false;
  let kill = () => false;
  await using front = await slowFront(0, (at, now) => {
    if (at === write && now === step && !killed) killed = kill();
  });
  const described = readYamlFile(join(root, 'fixtures/mock.target.yaml')) as object;
  writeFileSync(targetFile, JSON.stringify({ ...described, baseUrl: front.url }));
  const labels = () => front.mock.labels.of('acme', holder).map(({ name }) => name);
  const before = labels();
  const journal = join(folder, `journal-${write}-${step}`);
  const child = command(journal, 'run', '--only', 'labels/membership-is-a-set');
  kill = () => child.kill('SIGKILL');
  await saidBy(child);
  expect([killed, child.signalCode]).toEqual([true, 'SIGKILL']);

  const { said } = await saidBy(command(journal, 'cleanup'));
  const after = labels();
  expect(said).not.toContain('not settled');
  expect(after).toEqual(before);
  // A run that was killed during the preflight has written nothing.
  expect((existsSync(journal) ? readdirSync(journal) : []).filter((name) => name.startsWith('writes'))).toEqual([]);
});
