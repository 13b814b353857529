import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadSeeds } from '../../mock/seed/load.ts';
import { program } from '../release/program.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partnerkit-fixtures-'));
});
afterAll(() => rm(folder, { recursive: true }));

const fixtures = (...words: string[]) =>
  spawnSync(process.execPath, [program, 'fixtures', ...words], { encoding: 'utf8' });

it('writes a tenant to start from, names its schema for editors, and does not overwrite a file', async () => {
  const file = join(folder, 'mine.yaml');
  expect(fixtures(file, '--tenant', 'umbrella').status).toBe(0);
  const [seed] = await loadSeeds(file);
  expect(seed?.tenant).toBe('umbrella');
  const [, schema = ''] = /^# yaml-language-server: \$schema=(.*)\n/.exec(await readFile(file, 'utf8')) ?? [];
  expect(JSON.parse(await readFile(join(folder, schema), 'utf8')).title).toContain('fixture');
  expect(fixtures(file)).toMatchObject({ status: 2, stderr: expect.stringContaining('exists already') });
  expect(fixtures(file, '--force').status).toBe(0);
});

it('writes the same tenant to a file and to standard output, and the mock can read it', async () => {
  const file = join(folder, 'umbrella.tenant.jsonl');
  const flags = ['--conversations', '30', '--seed', '4', '--tenant', 'umbrella', '--keys', '3'];
  expect(fixtures(file, ...flags)).toMatchObject({ status: 0, stdout: '', stderr: `Wrote ${file}\n` });
  const [seed] = await loadSeeds(file);
  expect([seed?.tenant, seed?.conversations.length, seed?.keys.length]).toEqual(['umbrella', 30, 3]);
  expect(fixtures(...flags).stdout).toBe(await readFile(file, 'utf8'));
});

it.each([
  [['--conversations', '0'], 'Give a whole number'],
  [['--tenant', 'Umbrella Inc'], 'lower-case'],
  [['large.json', '--conversations', '1'], 'ends in .tenant.jsonl'],
  [['/dev/null/large.tenant.jsonl', '--conversations', '1'], 'cannot be written'],
])('refuses %j', (flags, problem) => {
  const { status, stderr } = fixtures(...flags);
  expect(status).toBe(2);
  expect(stderr).toContain(problem);
});
