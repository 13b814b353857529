import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { loadSeeds } from './load.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seeds-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, content: string) => writeFile(join(folder, name), content);
const named = async (path: string) => (await loadSeeds(path)).map(({ tenant }) => tenant);

/** The problems, with the folder's random name left out. */
const problemsOf = async (path: string): Promise<string[]> => {
  try {
    await loadSeeds(path);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map((problem) => problem.replaceAll(folder, 'at'));
    throw error;
  }
  return [];
};

test('reads the YAML and JSON files of a folder in the order of their names, and no other files', async () => {
  await write('c.json', '{ "tenant": "third", "keys": [] }');
  await write('a.yaml', 'tenant: first\nkeys: []');
  await write('b.yml', 'tenant: second\nkeys: []');
  await write('mock.target.yaml', 'baseUrl: http://x.example');
  await write('mock.profile.json', '{}');
  await write('tenant.schema.json', '{}');
  await write('.a.yaml', 'half written');
  await write('README.md', 'words');
  await mkdir(join(folder, 'folder.yaml'));
  expect(await named(folder)).toEqual(['first', 'second', 'third']);
});

test('follows links to files, as in a mounted ConfigMap', async () => {
  await mkdir(join(folder, '..data'));
  await writeFile(join(folder, '..data', 'a.yaml'), 'tenant: first\nkeys: []');
  await symlink(join('..data', 'a.yaml'), join(folder, 'a.yaml'));
  expect(await named(folder)).toEqual(['first']);
});

test('one file gives one tenant, whatever the name of the file', async () => {
  await write('tenant.txt', 'tenant: first\nkeys: []');
  await write('b.yaml', 'tenant: second\nkeys: []');
  expect(await named(join(folder, 'tenant.txt'))).toEqual(['first']);
});

test('says what to give if the path is missing', async () => {
  expect(await problemsOf(join(folder, 'nowhere'))).toEqual([
    'at/nowhere: no such file or folder; give a tenant file (*.yaml, *.json) or a folder of them',
  ]);
});

test('says which files a folder without tenants needs', async () => {
  await write('mock.target.yaml', 'baseUrl: http://x.example');
  expect(await problemsOf(folder)).toEqual([
    'at: no tenants found; put one or more tenant files (*.yaml, *.json) there',
  ]);
});

test('a link to nowhere is a problem of that file', async () => {
  await symlink('gone.yaml', join(folder, 'a.yaml'));
  expect(await problemsOf(folder)).toEqual(['at/a.yaml: cannot be read: there is no such file; check the path']);
});

test('names the line of a syntax error', async () => {
  await write('a.yaml', 'tenant: acme\nkeys: []\nusers: [ { id: 1\nlabels: []\n');
  const problems = await problemsOf(folder);
  expect(problems.length).toBeGreaterThan(0);
  for (const problem of problems) expect(problem).toMatch(/^at\/a\.yaml:[345]:\d+: ./);
});

test('a duplicate key is a syntax error too', async () => {
  await write('a.yaml', 'tenant: acme\nkeys: []\nkeys: []\n');
  expect(await problemsOf(folder)).toEqual([expect.stringMatching(/^at\/a\.yaml:3:1: .*unique/)]);
});

test('an empty file is no tenant', async () => {
  await write('a.yaml', '# nothing yet\n');
  expect(await problemsOf(folder)).toEqual([
    'at/a.yaml: is empty; it must be an object with tenant, description, keys, users, labels, clients, ...',
  ]);
});

test('the problems of all files are listed at once, one line each', async () => {
  await write('a.yaml', 'tenant: acme\nkeys: []\nconversations: [ { id: c, labels: [x] } ]');
  await write('b.yaml', 'tenant: globex\nkeys: []\nsites: [ { id: "1", labels: [vip] }, { id: "1" } ]');
  const problems = await problemsOf(folder);
  expect(problems).toEqual([
    'at/a.yaml: conversations[0].id: not a UUID',
    'at/b.yaml: sites[1].id: "1" is already used (sites[0])',
    'at/b.yaml: sites[0].labels[0]: no label "vip" in this tenant',
  ]);
});

test('two tenants of one name are refused, and a secret of two tenants, without showing it', async () => {
  const keys = 'keys: [ { name: full, secret: a-fake-secret-0001, scopes: [] } ]';
  await write('a.yaml', `tenant: acme\n${keys}`);
  await write('b.yaml', `tenant: acme\nkeys: []`);
  await write('c.yaml', `tenant: globex\n${keys}`);
  expect(await problemsOf(folder)).toEqual([
    'at/b.yaml: tenant: "acme" is already the tenant of at/a.yaml; rename one',
    'at/c.yaml: keys[0].secret: this secret is already used by key "full" of acme',
  ]);
});

test('two tenants may have records of equal ids', async () => {
  await write('a.yaml', 'tenant: acme\nkeys: []\nsites: [ { id: "10042" } ]');
  await write('b.yaml', 'tenant: globex\nkeys: []\nsites: [ { id: "10042" } ]');
  expect(await named(folder)).toEqual(['acme', 'globex']);
});
