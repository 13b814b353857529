import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packaged, packageRoot } from '../package-facts.ts';
import { schemaComment } from './schema-comment.ts';

const schema = packaged('spec/files/target.schema.json');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'partnerkit-schema-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The schema that the first line leads to, from where the file is. */
const leadsTo = (file: string) =>
  join(dirname(file), /^# yaml-language-server: \$schema=(.*)\n$/.exec(schemaComment(file, schema))?.[1] ?? '');

it('copies the schema beside a file that is in no project with the package, and keeps what is there', () => {
  const own = join(folder, 'own');
  mkdirSync(own);
  const copy = join(own, 'target.schema.json');
  expect(leadsTo(join(own, 'target.yaml'))).toBe(copy);
  expect(readFileSync(copy, 'utf8')).toBe(readFileSync(schema, 'utf8'));
  writeFileSync(copy, '{}');
  expect(leadsTo(join(own, 'staging.yaml'))).toBe(copy);
  expect(readFileSync(copy, 'utf8')).toBe('{}');
});

it("leads to the package of the file's own project, also from a folder of it", () => {
  const installed = join(folder, 'node_modules/partnerkit', relative(packageRoot(), fileURLToPath(schema)));
  mkdirSync(dirname(installed), { recursive: true });
  writeFileSync(installed, '{}');
  mkdirSync(join(folder, 'ci'));
  expect(leadsTo(join(folder, 'ci/target.yaml'))).toBe(installed);
  expect(readdirSync(join(folder, 'ci'))).toEqual([]);
});

it('leads to the source within this clone, and nowhere from a folder that is not there', () => {
  expect(leadsTo(join(packageRoot(), 'fixtures/x.yaml'))).toBe(fileURLToPath(schema));
  expect(existsSync(join(packageRoot(), 'fixtures/target.schema.json'))).toBe(false);
  expect(schemaComment('/nowhere/at/all/target.yaml', schema)).toBe('');
});
