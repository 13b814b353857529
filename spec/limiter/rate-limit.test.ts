import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('runs anywhere, k6 included: nothing of Node, nothing that k6 lacks, imports that stay in the folder', () => {
  const files = globSync('*.ts', { cwd: import.meta.dirname }).filter((file) => !file.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(8);
  for (const file of files) {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8');
    const imported = [...source.matchAll(/^(import|export) (?!type\b).*from '(.*)'/gm)].map((match) => match[2]);
    expect(
      imported.filter((path) => !/^\.\.?\/[\w/-]+\.ts$/.test(path ?? '')),
      file,
    ).toEqual([]);
    expect(source, file).not.toMatch(/\b(process|Buffer|require|Map\.groupBy|Object\.groupBy|structuredClone)\b[.(]/);
  }
});
