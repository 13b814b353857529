import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findK6 } from '../../load/run/find-k6.ts';
import { findChromium } from '../../mock/proof/chromium.ts';
import { started, temporaryFolder } from '../../spec/proof/processes.ts';
import { runExamples } from './examples.ts';
import { fromNpm, pack, root, run } from './programs.ts';

/**
 * `npm run check:package` packs the package, lints it, and uses it like a new user with each supported Node: it is installed into an empty
 * folder, every entry is imported, a mock is started, judged and loaded, and the examples run with the oldest and newest peers.
 * `--quick` uses only Node 24 without the examples (for CI).
 */

const quick = process.argv.includes('--quick');
/** The longest time from nothing to a verdict, in seconds, and the most that is installed. */
const goal = { seconds: 120, bytes: 25_000_000, packages: 25 };
const { exports: entries, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

using tarball = await pack();
await run('npx', ['--yes', 'publint@0.3.25', 'run', '--strict', '--level', 'warning', tarball.path]);
// The package has only ES modules, which CommonJS loads with import(). The YAML document has no types.
const attw = ['--profile', 'esm-only', '--exclude-entrypoints', './openapi.yaml', '--', tarball.path];
await run('npx', ['--yes', '@arethetypeswrong/cli@0.18.5', ...attw]);
for (const major of quick ? [24] : [22, 24, 26]) await tryWith(major);

async function tryWith(major: number): Promise<void> {
  // This checkout must not help: its node_modules/.bin is not on the path, and the variables that npm sets for scripts are removed.
  const own = (process.env.PATH ?? '').split(':').filter((part) => !part.includes('node_modules'));
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(?:lifecycle|package)|^NODE_(?:OPTIONS|PATH)$|^VITEST/.test(name),
  );
  const PATH = [join(await fromNpm(`node-${major}`, `node@${major}`), 'node/bin'), ...own].join(':');
  const env = { ...Object.fromEntries(inherited), PATH, NODE_ENV: 'production', CHROMIUM_PATH: findChromium() ?? '' };
  using folder = temporaryFolder('check');
  const cwd = folder.at('a new project');
  mkdirSync(cwd);
  const install = (...args: string[]) => run('npm', ['install', '--no-audit', '--no-fund', ...args], { cwd, env });
  const began = performance.now();
  writeFileSync(join(cwd, 'package.json'), '{ "private": true }\n');
  await install(tarball.path);
  const bytes = Number((await run('du', ['-sb', 'node_modules'], { cwd, env })).split('\t')[0]);
  const packages = Object.keys(JSON.parse(readFileSync(join(cwd, 'package-lock.json'), 'utf8')).packages).length - 1;
  await firstSteps(cwd, env);
  const seconds = Math.round((performance.now() - began) / 1000);
  const seen = `Node ${major}: ${packages} packages, ${bytes} bytes, ${seconds} s from nothing to a verdict`;
  if (bytes > goal.bytes || packages > goal.packages || seconds > goal.seconds) throw new Error(seen);
  process.stdout.write(`${seen}\n`);
  if (quick) return;
  cpSync(join(root, 'mock/proof/examples'), join(cwd, 'examples'), { recursive: true });
  for (const which of ['oldest', 'latest']) {
    // npm refuses peers that the package does not allow.
    const peers = Object.entries<string>(peerDependencies).map(
      ([peer, range]) => `${peer}@${which === 'latest' ? which : /[\d.]+/.exec(range)}`,
    );
    await install('--include=dev', ...peers, 'openapi-fetch');
    await runExamples(join(cwd, 'examples'), env);
    process.stdout.write(`  the examples pass with ${peers.join(', ')}\n`);
  }
}

/** Imports every entry that needs no peer; starts a mock, judges it and, where k6 is, loads it. */
async function firstSteps(cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const names = Object.keys(entries).map((entry) => JSON.stringify(entry.replace('.', 'partnerkit')));
  const modules = names.filter((name) => !/msw|vitest|playwright|\.yaml|\.json/.test(name));
  await run('node', ['--input-type=module', '-e', modules.map((name) => `await import(${name});`).join('')], {
    cwd,
    env,
  });
  const command = 'node_modules/partnerkit/dist/bin/partnerkit.cjs';
  using mock = await started(['node', command, 'mock', '--port', '0', '--quiet'], { cwd, env });
  const K6_PATH = (await findK6({ env }).catch(() => undefined))?.path;
  const judge = (...args: string[]) =>
    run('npx', ['partnerkit', ...args, '--target', 'target.yaml'], { cwd, env: { ...env, K6_PATH } });
  writeFileSync(join(cwd, 'target.yaml'), await (await fetch(`${mock.line}/_mock/target`)).text());
  await judge('conformance', 'run', '--only', 'auth');
  if (K6_PATH !== undefined) await judge('load', 'run', 'burst');
}
