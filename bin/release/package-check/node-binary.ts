import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.ts';

/** A folder with a `node` of this major version. If it is missing, the npm package `node` is installed into `.cache/`. */
export async function nodeFolder(root: string, major: number): Promise<string> {
  if (Number(process.versions.node.split('.')[0]) === major) return join(process.execPath, '..');
  const home = join(root, '.cache', `node-${major}`);
  const folder = join(home, 'node_modules/node/bin');
  if (!existsSync(join(folder, 'node'))) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
    const args = ['install', '--no-audit', '--no-fund', '--no-save', `node@${major}`];
    await runCommand('npm', args, { cwd: home, env: process.env });
  }
  return folder;
}
