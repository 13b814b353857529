import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { findK6 } from '../../load/run/find-k6.ts';
import { findChromium } from '../../mock/proof/chromium.ts';
import { fromNpm, pack, root, run } from './programs.ts';

/**
 * `npm run check:package` packs the package, lints it, and uses it like a new user with each supported Node: it is installed into an empty
 * folder, every entry is imported, a mock is started, judged and loaded, and the example projects run with the oldest and newest peers.
 * `--quick` uses only Node 24 without the examples (for CI).
 */

const quick = process.argv.includes('--quick');
/** The longest time from nothing to a verdict, in seconds, and the most that is installed. */
const goal = { seconds: 120, bytes: 25_000_000, packages: 25 };
const { exports: entries, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const peers = Object.keys(peerDependencies);

const tarball = await pack();
await run('npx', ['--yes', 'publint@0.3.25', 'run', '--strict', '--level', 'warning', tarball]);
// The package has only ES modules, which CommonJS loads with import(). The YAML document has no types.
const attw = ['--profile', 'esm-only', '--exclude-entrypoints', './openapi.yaml', '--', tarball];
await run('npx', ['--yes', '@arethetypeswrong/cli@0.18.5', ...attw]);
process.stdout.write('publint and attw find nothing\n');
for (const major of quick ? [24] : [22, 24, 26]) await tryWith(major);
rmSync(dirname(tarball), { recursive: true });

async function tryWith(major: number): Promise<void> {
  // This checkout must not help: its node_modules/.bin is not on the path, and the variables that npm sets for scripts are removed.
  const own = (process.env.PATH ?? '').split(':').filter((part) => !part.includes('node_modules'));
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(?:lifecycle|package)|^NODE_(?:OPTIONS|PATH)$|^VITEST/.test(name),
  );
  const PATH = [join(await fromNpm(`node-${major}`, `node@${major}`), 'node/bin'), ...own].join(':');
  const env = { ...Object.fromEntries(inherited), PATH, NODE_ENV: 'production' };
  const project = join(mkdtempSync(join(tmpdir(), 'partnerkit-check-')), 'a new project');
  mkdirSync(project);
  const began = performance.now();
  try {
    writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
    await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: project, env });
    const bytes = Number((await run('du', ['-sb', 'node_modules'], { cwd: project, env })).split('\t')[0]);
    const packages =
      Object.keys(JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')).packages).length - 1;
    if (bytes > goal.bytes || packages > goal.packages)
      throw new Error(`installs ${packages} packages, ${bytes} bytes`);
    await importEntries(project, env, []);
    await firstSteps(project, env);
    const seconds = (performance.now() - began) / 1000;
    if (seconds > goal.seconds)
      throw new Error(`from nothing to a verdict: ${seconds} s; the goal is ${goal.seconds} s`);
    const size = `${packages} packages, ${(bytes / 1e6).toFixed(1)} MB`;
    process.stdout.write(`Node ${major}: ${size}; from nothing to a verdict in ${seconds.toFixed(0)} s\n`);
    if (!quick) for (const which of ['oldest', 'latest'] as const) await tryExamples(which, project, env);
  } finally {
    rmSync(dirname(project), { recursive: true });
  }
}

/** Imports every entry whose peer is there. Entries for vitest can be imported only in its tests. */
async function importEntries(cwd: string, env: NodeJS.ProcessEnv, installed: readonly string[]): Promise<void> {
  const needs = (entry: string) =>
    /vitest$/.test(entry) ? ['vitest'] : peers.filter((peer) => peer.includes(entry.slice(2)));
  const wanted = Object.keys(entries).filter(
    (entry) => entry === '.' || needs(entry).every((peer) => installed.includes(peer)),
  );
  const script = wanted.map((entry) => {
    const name = JSON.stringify(entry.replace('.', 'partnerkit'));
    return /\.(?:yaml|json)$/.test(entry)
      ? `readFileSync(new URL(import.meta.resolve(${name})));`
      : `await import(${name});`;
  });
  writeFileSync(join(cwd, 'entries.mjs'), `import { readFileSync } from 'node:fs';\n${script.join('\n')}`);
  await run('node', ['entries.mjs'], { cwd, env });
}

/** A mock, a conformance run of it and, where k6 is, a load run. */
async function firstSteps(cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const partnerkit = (...args: string[]) => run('npx', ['partnerkit', ...args], { cwd, env });
  const mock = spawn('node', ['node_modules/partnerkit/dist/bin/partnerkit.cjs', 'mock', '--port', '0', '--json'], {
    cwd,
    env,
  });
  try {
    const [line] = await once(createInterface(mock.stdout), 'line');
    const target = await (await fetch(`${JSON.parse(line).url}/_mock/target`)).text();
    writeFileSync(join(cwd, 'target.yaml'), target);
    await partnerkit('conformance', 'run', '--target', 'target.yaml', '--only', 'auth');
    const k6 = await findK6({ env, root }).catch(() => undefined);
    const K6_PATH = k6?.path;
    if (K6_PATH !== undefined)
      await run('npx', ['partnerkit', 'load', 'run', 'burst', '--target', 'target.yaml'], {
        cwd,
        env: { ...env, K6_PATH },
      });
  } finally {
    mock.kill();
  }
}

/** Runs the unchanged example projects with their test runners. npm refuses peers that the package does not allow. */
async function tryExamples(which: 'oldest' | 'latest', project: string, env: NodeJS.ProcessEnv): Promise<void> {
  const versions = peers.map((peer) => `${peer}@${which === 'latest' ? which : /[\d.]+/.exec(peerDependencies[peer])}`);
  const args = ['install', '--no-audit', '--no-fund', '--include=dev', ...versions, 'openapi-fetch'];
  await run('npm', args, { cwd: project, env });
  await importEntries(project, env, ['msw', '@playwright/test']);
  const examples = join(project, 'examples');
  cpSync(join(root, 'mock/proof/examples'), examples, { recursive: true });
  for (const example of ['vitest', 'partner-suite', 'openapi-fetch'])
    await run('npx', ['vitest', 'run', '--test-timeout', '60000'], { cwd: join(examples, example), env });
  const CHROMIUM_PATH = findChromium() ?? '';
  if (existsSync(CHROMIUM_PATH))
    await run('npx', ['playwright', 'test'], { cwd: join(examples, 'playwright'), env: { ...env, CHROMIUM_PATH } });
  process.stdout.write(`  the examples pass with ${versions.join(', ')}\n`);
}
