import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { blocksOf, brokenLinks, consoleSteps, linksOf, matchesShown, type Page, pages } from './pages.ts';
import { emptyHome, root, type Scene, setScene, usualUrl } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await setScene();
  // A page shows how it is written.
  rmSync(join(scene.folder, 'staging.yaml'));
});
afterAll(() => scene[Symbol.dispose]());

const told = pages.filter((page) => consoleSteps(page).length > 0);

/** Files that a page shows, each named in its first line. */
function writeShown(page: Page): void {
  for (const block of blocksOf(page, 'js')) {
    const [, name = ''] = /^\/\/ (\S+)\n/.exec(block) ?? [];
    writeFileSync(join(scene.folder, name), block);
  }
}

const isRun = (command: string) => command.startsWith('npx partnerkit conformance run');

// Slow, because the client on the page about certification runs some 35 times, and backs off as it should.
it.each(told)('$file: every command prints what the page shows', (page) => {
  writeShown(page);
  const steps = consoleSteps(page);
  const marker = '--- next ---';
  const { folder, url } = scene;
  const here = (text: string) => text.replaceAll(usualUrl, url);
  // A run uses its keys up; who reads takes longer to the next command than they take to be full again.
  const reading = `curl -s -o /dev/null -d '{"by":"5s"}' -H 'content-type: application/json' ${url}/_mock/clock/advance`;
  const script = [
    `URL='${url}'`,
    // As on a terminal, where both streams are one.
    'npx() { command npx "$@" 2>&1; }',
    ...steps.map(({ command }) => `${here(command)}\necho; echo '${marker}'\n${isRun(command) ? reading : ''}`),
  ].join('\n');
  const printed = execFileSync('bash', ['-c', script], {
    encoding: 'utf8',
    cwd: folder,
    env: emptyHome(join(folder, 'home')),
  }).split(`${marker}\n`);
  const wrong = steps
    .map(({ command, output }, i) => ({ command, shown: here(output), printed: printed[i] ?? '' }))
    .filter((step) => !matchesShown(step.printed, step.shown));
  expect(wrong).toEqual([]);
});

it('the README shows curl at length', () => {
  const [readme] = pages.filter(({ file }) => file === 'README.md').map(consoleSteps);
  expect(readme?.length).toBeGreaterThan(15);
});

it.each(pages)('$file has no broken link', (page) => {
  expect(brokenLinks(page)).toEqual([]);
});

it.each(pages.filter(({ text }) => /npx partnerkit|partnerkit\/(?:vitest|msw)'/.test(text)))(
  '$file says how to get partnerkit before it uses it',
  ({ text }) => {
    const [told, used] = [text.search(/README\.md#get-it|^## Get it$/m), text.search(/npx partnerkit/)];
    expect(told).toBeGreaterThan(-1);
    if (used > -1) expect(told).toBeLessThan(used);
  },
);

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
  expect(brokenLinks({ file: 'CONTRIBUTING.md', text })).toEqual(['nowhere.md', '#none']);
});

it('npm start is the command that the README shows first', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(scripts.start).toBe('node bin/partnerkit.ts mock');
});
