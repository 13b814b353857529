import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { brokenLinks, linksOf } from './documentation/broken-links.ts';
import { consoleSteps, matchesShown } from './documentation/console-steps.ts';
import { blocksOf, pages } from './documentation/pages.ts';
import { typeProblems } from './documentation/type-problems.ts';

const root = resolve(import.meta.dirname, '..');
const usual = 'http://127.0.0.1:4010';

let mock: ReturnType<typeof spawn>;
let url = '';
let folder = '';
beforeAll(async () => {
  mock = spawn(process.execPath, ['bin/partnerkit.ts', 'mock', '--port', '0', '--json'], { cwd: root });
  const [line] = await once(mock.stdout ?? process.stdin, 'data');
  url = JSON.parse(String(line).split('\n')[0] ?? '').url;
  folder = mkdtempSync(join(tmpdir(), 'partnerkit-documentation-'));
  const target = readFileSync(join(root, 'fixtures/mock.target.yaml'), 'utf8');
  writeFileSync(join(folder, 'target.yaml'), target.replace(usual, url));
});
afterAll(async () => {
  mock.kill('SIGINT');
  await once(mock, 'exit');
  rmSync(folder, { recursive: true });
});

const told = pages.filter((page) => consoleSteps(page).length > 0);

it.each(told)('$file: every command prints what the page shows', { timeout: 60_000 }, (page) => {
  const steps = consoleSteps(page);
  const marker = '--- next ---';
  const here = (text: string) => text.replaceAll(usual, url);
  const script = [
    `URL='${url}'`,
    `partnerkit() { '${process.execPath}' '${join(root, 'bin/partnerkit.ts')}' "$@" 2>&1; }`,
    ...steps.map(({ command }) => `${here(command)}\necho; echo '${marker}'`),
  ].join('\n');
  const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd: folder }).split(`${marker}\n`);
  const wrong = steps
    .map(({ command, output }, i) => ({ command, shown: here(output), printed: printed[i] ?? '' }))
    .filter((step) => !matchesShown(step.printed, step.shown));
  expect(wrong).toEqual([]);
});

it('the README shows curl at length', () => {
  const [readme] = pages.filter(({ file }) => file === 'README.md').map(consoleSteps);
  expect(readme?.length).toBeGreaterThan(15);
});

it('every TypeScript block is right over the types of the package', { timeout: 60_000 }, () => {
  const typed = pages.filter((page) => blocksOf(page, 'ts').length > 0);
  expect(typed.length).toBeGreaterThan(1);
  expect(typeProblems(typed, root)).toBe('');
});

it('a wrong TypeScript block is noticed', { timeout: 60_000 }, () => {
  const text = "```ts\nimport { createMock } from 'partnerkit';\ncreateMock({ nothing: 1 });\n```\n";
  expect(typeProblems([{ file: 'wrong.md', text }], root)).toMatch(/wrong\.md-1\.ts\(2,.*nothing/);
});

it.each(pages)('$file has no broken link', (page) => {
  expect(brokenLinks(page, root)).toEqual([]);
});

it('every page is reached from the README', () => {
  const linked = new Set(['README.md']);
  for (const file of linked) {
    const page = pages.find((one) => one.file === file);
    for (const link of page === undefined ? [] : linksOf(page)) {
      if (/\.md(?:#|$)/.test(link)) linked.add(join(dirname(file), link.split('#')[0] ?? ''));
    }
  }
  expect(pages.map(({ file }) => file).filter((file) => !linked.has(file))).toEqual([]);
});

it('broken links are noticed', () => {
  const text = '[a](nowhere.md) [b](#none) [c](README.md#partnerkit) [d](LICENSE) `[e](nowhere)`';
  expect(brokenLinks({ file: 'CONTRIBUTING.md', text }, root)).toEqual(['nowhere.md', '#none']);
});

it('the README shows the first lines that npm start prints', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(scripts.start).toBe('node bin/partnerkit.ts mock');
  const readme = pages.find(({ file }) => file === 'README.md');
  const shown = readme === undefined ? [] : blocksOf(readme, 'text').flatMap((block) => block.split('\n'));
  const rows = shown.filter((line) => /fake-secret/.test(line) && line.startsWith('acme'));
  expect(rows.length).toBeGreaterThan(2);
  const fixture = readFileSync(join(root, 'fixtures/acme.yaml'), 'utf8');
  for (const line of rows) expect(fixture).toContain(/acme\w+-fake-secret-\d+/.exec(line)?.[0]);
});
