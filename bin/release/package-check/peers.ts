import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '../../../mock/proof/chromium.ts';
import { runCommand } from './command.ts';
import { importEntries } from './entries.ts';

/** Peers whose entries can be imported outside a test runner. */
const importable = ['msw', '@playwright/test'] as const;

/**
 * Versions of peers that a project may have, oldest first, from the oldest that `peerDependencies` allows to the newest. npm
 * refuses versions that the package does not allow.
 */
export const generations: readonly (readonly string[])[] = [
  ['msw@2.0.0', 'vitest@3.0.0', '@playwright/test@1.49.0'],
  ['msw@2', 'vitest@4', '@playwright/test@1'],
  ['msw@latest', 'vitest@latest', '@playwright/test@latest'],
];

/** The conformance checks as tests, against the mock that the global setup starts. */
const conformanceTest = `
import { writeFileSync } from 'node:fs';
import { conformanceTests } from 'partnerkit/conformance/vitest';
import { inject } from 'vitest';

const described = await fetch(inject('partnerkitUrl') + '/_mock/target');
writeFileSync('described.yaml', await described.text());
conformanceTests('described.yaml', { only: ['upload/target-url', 'labels/listing-gives-public-labels'] });
`;

/** Tries each generation of peers. @returns a summary for people */
export async function tryWithPeers(project: string, root: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const tried: string[] = [];
  for (const peers of generations) tried.push(...(await tryWith(peers, project, root, env)));
  return tried;
}

/**
 * Installs the peers in the project, imports the entries that need them, and runs the unchanged example projects with their
 * test runners. Entries for vitest and Playwright work only in tests.
 */
async function tryWith(
  generation: readonly string[],
  project: string,
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<string[]> {
  const peers = [...generation, 'openapi-fetch'];
  await runCommand('npm', ['install', '--no-audit', '--no-fund', '--include=dev', ...peers], { cwd: project, env });
  const entries = await importEntries(project, env, importable);
  const examples = join(project, 'examples');
  cpSync(join(root, 'mock/proof/examples'), examples, { recursive: true });
  writeFileSync(join(examples, 'vitest/conformance.test.ts'), conformanceTest);

  fromZero(root, join(examples, 'from-zero'));

  const tried = [`with ${peers.join(', ')}: ${entries.length} entries imported`];
  const bin = (path: string) => join(project, 'node_modules', path);
  for (const example of ['from-zero', 'vitest', 'partner-suite', 'openapi-fetch']) {
    const out = join(examples, `${example}.json`);
    // A long timeout, because the machine may be busy.
    const args = [
      bin('vitest/vitest.mjs'),
      'run',
      '--test-timeout',
      '60000',
      '--reporter',
      'json',
      '--outputFile',
      out,
    ];
    const cwd = join(examples, example);
    await runCommand('node', args, { cwd, env, timeout: 300_000, codes: [0, 1] });
    const { success, numPassedTests, numTotalTests, testResults } = JSON.parse(readFileSync(out, 'utf8'));
    if (!success || numPassedTests === 0)
      throw new Error(`example ${example}: ${JSON.stringify(testResults, null, 2)}`);
    tried.push(`example ${example}: ${numPassedTests} of ${numTotalTests} tests passed`);
  }
  const chromium = findChromium();
  if (chromium === null || !existsSync(chromium)) return [...tried, 'example playwright: NOT run, no Chromium here'];
  const output = await runCommand('node', [bin('@playwright/test/cli.js'), 'test'], {
    cwd: join(examples, 'playwright'),
    env: { ...env, CHROMIUM_PATH: chromium },
    timeout: 300_000,
  });
  const [passed] = /\d+ passed/.exec(output) ?? [];
  if (passed === undefined) throw new Error(`playwright: no test was run: ${output}`);
  return [...tried, `example playwright: ${passed}`];
}

/** Turns the page for new users into a project. Its blocks become the files that it names. */
function fromZero(root: string, folder: string): void {
  const page = readFileSync(join(root, 'mock/FROM-ZERO.md'), 'utf8');
  const blocks = [...page.matchAll(/`([\w.]+\.ts)`[^`]*\n```ts\n([\s\S]*?)```/g)];
  if (blocks.length !== 2) throw new Error(`mock/FROM-ZERO.md: ${blocks.length} of its 2 files were found`);
  mkdirSync(folder, { recursive: true });
  for (const [, name = '', text = ''] of blocks) writeFileSync(join(folder, name), text);
}
