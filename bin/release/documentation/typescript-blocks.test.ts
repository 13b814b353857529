import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../mock/proof/chromium.ts';
import { onLoopback } from '../../../spec/proof/processes.ts';
import { everyBlock, pages } from './pages.ts';
import { isUndecided, root, type Scene, setScene } from './scene.ts';
import { entrySources, typeProblems } from './type-problems.ts';

const run = promisify(execFile);
const typed = pages.filter((page) => everyBlock(page).some(({ language }) => language === 'ts'));
const blocks = typed.flatMap(everyBlock).filter(({ language }) => language === 'ts');
const chromium = findChromium();
const forPlaywright = (text: string) => text.includes("'partnerkit/playwright'");

/** What is read of the file of vitest's reporter. */
interface Results {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly failureMessages: readonly string[] }[];
  }[];
}

let scene: Scene;
let folder = '';
beforeAll(async () => {
  scene = await setScene();
  // Below the repository, because the blocks import packages.
  mkdirSync(join(root, '.cache'), { recursive: true });
  folder = mkdtempSync(join(root, '.cache/blocks-'));
});
afterAll(() => {
  scene[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

it('every TypeScript block is right over the types of the package, and a wrong one is noticed', async () => {
  expect(typed.length).toBeGreaterThan(1);
  const text = "```ts\nimport { createMock } from 'partnerkit';\ncreateMock({ nothing: 1 });\n```\n";
  const problems = (await typeProblems([...typed, { file: 'wrong.md', text }], root))
    .split('\n')
    .filter((line) => line.includes('error TS'));
  expect(problems).toEqual([expect.stringMatching(/wrong\.md-1\.ts\(2,.*nothing/)]);
});

describe('every TypeScript block runs', () => {
  // Slow, because one of the blocks is a conformance run.
  it('in vitest: those that declare tests pass, the others come to their end', async () => {
    const here = blocks.filter(({ text }) => !forPlaywright(text));
    for (const [i, { text }] of here.entries()) {
      const declares = /^(?:test|conformanceTests)\(/m.test(text);
      const end = "\nimport { test as itself } from 'vitest';\nitself('comes to its end', () => {});\n";
      const block = text.replace("'staging.yaml'", JSON.stringify(join(scene.folder, 'staging.yaml')));
      writeFileSync(join(folder, `block-${i}.test.ts`), declares ? block : block + end);
    }
    const alias = entrySources(root).map(
      ([find, replacement]) => `{ find: new RegExp('^${find}$'), replacement: '${replacement}' }`,
    );
    writeFileSync(
      join(folder, 'vitest.config.ts'),
      `export default {
        resolve: { alias: [${alias.join(', ')}] },
        test: {
          globalSetup: '${join(root, 'mock/adapters/vitest-setup.ts')}',
          // The sources are read once for all blocks: that is a third of the work.
          isolate: false,
          maxWorkers: 1,
          // Machines may be busy: no block is about its own duration.
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      };`,
    );
    const out = join(folder, 'out.json');
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    // With journals of writes where the scene is.
    await run(process.execPath, [vitest, 'run', '--root', folder, '--reporter', 'json', '--outputFile', out], {
      cwd: scene.folder,
    }).catch((error) => {
      if (!existsSync(out)) throw new Error(`${error.stdout}${error.stderr}`);
    });
    const { testResults } = JSON.parse(readFileSync(out, 'utf8')) as Results;
    const failed = testResults
      .flatMap(({ name, message, assertionResults }) => [
        ...(message ? [`${name}: ${message}`] : []),
        ...assertionResults.flatMap(({ fullName, failureMessages }) =>
          failureMessages.map((why) => `${fullName}: ${why}`),
        ),
      ])
      .filter((words) => !isUndecided(words));
    expect(failed).toEqual([]);
    expect(testResults).toHaveLength(here.length);
    expect(here.length).toBeGreaterThan(3);
  });

  it.runIf(chromium !== null)('in Playwright, over a page of an application', async () => {
    const here = blocks.filter(({ text }) => forPlaywright(text));
    expect(here).toHaveLength(2);
    const server = createServer((_, response) => response.end(somePage));
    const { port } = new URL(await onLoopback(server));
    for (const [i, { text }] of here.entries()) {
      writeFileSync(
        join(folder, `block-${i}.spec.ts`),
        text.replace('http://localhost:3000', `http://127.0.0.1:${port}`),
      );
    }
    const use = { launchOptions: { args: ['--no-sandbox'], executablePath: chromium } };
    writeFileSync(
      join(folder, 'playwright.config.ts'),
      // Machines may be busy, as above.
      `export default { testMatch: '*.spec.ts', outputDir: 'results', workers: 1, use: ${JSON.stringify(use)}, timeout: 300_000, expect: { timeout: 300_000 } };`,
    );
    const paths = Object.fromEntries(entrySources(root).map(([entry, source]) => [entry, [source]]));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { paths } }));
    const playwright = join(root, 'node_modules/@playwright/test/cli.js');
    const { stdout } = await run(process.execPath, [playwright, 'test', '--reporter', 'line'], { cwd: folder })
      .catch((error) => {
        if (isUndecided(error.stdout)) return error;
        throw new Error(`${error.stdout}${error.stderr}`);
      })
      .finally(() => server.close());
    expect(stdout).toContain(isUndecided(stdout) ? '1 passed' : '2 passed');
  });
});

/** Shows the labels of the API that its address names, as the page of the reader's own would. */
const somePage = `<!doctype html><ul></ul><script type="module">
  const given = new URLSearchParams(location.search);
  const reply = await fetch(given.get('api') + '/v1/labels', { headers: { 'x-api-key': given.get('key') } });
  const { labels } = await reply.json();
  for (const { name } of labels) document.querySelector('ul').append(Object.assign(document.createElement('li'), { textContent: name }));
</script>`;
