import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findK6 } from '../../load/run/find-k6.ts';
import { runCommand } from './package-check/command.ts';
import { importEntries } from './package-check/entries.ts';
import type { Journey } from './package-check/journeys.ts';
import { nodeFolder } from './package-check/node-binary.ts';
import { offlinePrefix } from './package-check/offline.ts';
import { install, pack, sizeOf } from './package-check/pack.ts';
import { tryWithPeers } from './package-check/peers.ts';

/**
 * Packs the package and uses it like a new user: installs it into an empty folder, imports every entry, plays and times
 * the first steps of new users, and runs the example projects, with each supported Node. `--quick` uses only Node 24 and few checks (for CI);
 * `--node 26` uses only that Node.
 */

const promised = [22, 24, 26] as const;
const linters = { publint: '0.3.25', '@arethetypeswrong/cli': '0.18.5' } as const;
const largest = 25_000_000;
/** The longest time for a journey, in seconds. */
const longest = 120;
/** A load tester's journey from nothing to a verdict takes no longer than that either, and `k6` half of it at most. */
const toVerdict = ['install', 'k6', 'mock', 'load'];

const root = resolve(import.meta.dirname, '../..');
const { quick = false, node } = parseArgs({ options: { quick: { type: 'boolean' }, node: { type: 'string' } } }).values;
const say = (text: string) => process.stdout.write(`${text}\n`);

const tarball = await pack(root);
say(`packed: ${tarball}`);
await lint(tarball);
const k6 = await findK6({ env: process.env, root }).catch(() => undefined);
const offline = await offlinePrefix();
say(
  offline.length > 0 ? 'journeys run without a network' : 'journeys run with the network: none can be taken away here',
);
const wanted = promised.filter((major) => (quick ? major === 24 : node === undefined || major === Number(node)));
if (wanted.length === 0) throw new Error(`--node ${node}: give one of ${promised.join(', ')}`);
for (const major of wanted) await tryWith(major);
rmSync(dirname(tarball), { recursive: true });

/** An installation and its journeys with one Node. */
async function tryWith(major: number): Promise<void> {
  const folder = await nodeFolder(root, major);
  // This checkout must not help: its node_modules/.bin is not on the path, and the variables that npm sets for scripts are removed.
  const own = (process.env.PATH ?? '').split(':').filter((part) => !part.includes('node_modules'));
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(?:lifecycle|package)|^NODE_(?:OPTIONS|PATH)$|^VITEST/.test(name),
  );
  const env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(inherited),
    PATH: [folder, ...own].join(':'),
    NODE_ENV: 'production',
  };
  const began = performance.now();
  const project = await install(tarball, env);
  const installed: Journey = { name: 'install', seconds: (performance.now() - began) / 1000, result: 'npm install' };
  try {
    const size = sizeOf(resolve(project, 'node_modules'));
    if (size > largest) throw new Error(`the install takes ${megabytes(size)}; the goal is ${megabytes(largest)}`);
    const version = (await runCommand('node', ['--version'], { cwd: project, env })).trim();
    const entries = await importEntries(project, env);
    say(`\nNode ${version}: ${megabytes(size)} installed, ${entries.length} entries imported from ESM and CommonJS`);
    const journeysOf = { project, everyCheck: !quick && major === 24, k6: k6?.path };
    const script = resolve(import.meta.dirname, 'package-check/play-newcomer.ts');
    const [program = process.execPath, ...args] = [...offline, process.execPath, script, JSON.stringify(journeysOf)];
    const home = mkdtempSync(resolve(project, '../home-'));
    const fresh = { ...env, HOME: home, XDG_CACHE_HOME: undefined, K6_PATH: undefined };
    const played = await runCommand(program, args, { cwd: project, env: fresh, timeout: 600_000 });
    const journeys: Journey[] = [installed, ...JSON.parse(played)];
    for (const { name, seconds, result } of journeys) {
      say(`  ${name.padEnd(12)} ${seconds.toFixed(1)} s  ${result}`);
      mustTake(name, seconds, name === 'k6' ? longest / 2 : longest);
    }
    if (k6 !== undefined) {
      const seconds = journeys
        .filter(({ name }) => toVerdict.includes(name))
        .reduce((sum, one) => sum + one.seconds, 0);
      say(`  from nothing to the verdict on a limiter: ${seconds.toFixed(1)} s`);
      mustTake('a verdict on a limiter', seconds, longest);
    }
    if (!quick) for (const line of await tryWithPeers(project, root, env)) say(`  ${line}`);
  } finally {
    rmSync(dirname(project), { recursive: true });
  }
}

function mustTake(what: string, seconds: number, goal: number): void {
  if (seconds > goal) throw new Error(`${what} takes a newcomer ${seconds.toFixed(1)} s; the goal is ${goal} s`);
}

async function lint(packed: string): Promise<void> {
  const npx = (name: keyof typeof linters, args: readonly string[]) =>
    runCommand('npx', ['--yes', '-p', `${name}@${linters[name]}`, ...args, packed], {
      cwd: dirname(packed),
      env: process.env,
    });
  await npx('publint', ['publint', 'run', '--strict', '--level', 'warning']);
  say('publint: clean');
  // The package has only ES modules, which CommonJS loads with import(). The YAML document has no types.
  await npx('@arethetypeswrong/cli', [
    'attw',
    '--profile',
    'esm-only',
    '--exclude-entrypoints',
    './openapi.yaml',
    '--',
  ]);
  say('@arethetypeswrong/cli: clean');
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
