import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { madeOnce } from '../made-once.ts';
import { program } from '../program.ts';

const root = resolve(import.meta.dirname, '../../..');

/**
 * A project in which the packed package is installed, as README says: its `npx partnerkit` is the command of every page. What is packed is
 * the program that tests start, without types, where `PARTNERKIT_TARBALL` names no package.
 */
const project = await madeOnce('installed', async (folder) => {
  const work = mkdtempSync(join(tmpdir(), 'partnerkit-packed-'));
  try {
    const npm = (cwd: string, ...words: string[]) =>
      execFileSync('npm', words, { cwd, env: emptyHome(join(work, 'home')), encoding: 'utf8', stdio: 'pipe' });
    cpSync(join(root, 'package.json'), join(work, 'package.json'));
    cpSync(dirname(dirname(program)), join(work, 'dist'), { recursive: true, dereference: true });
    const packed = process.env.PARTNERKIT_TARBALL ?? join(work, npm(work, 'pack', '--ignore-scripts').trim());
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    // What the package needs is taken from here, because tests need no network.
    const zod = join(root, 'node_modules/zod');
    npm(folder, 'install', '--no-audit', '--no-fund', '--offline', '--install-links', zod, packed);
  } finally {
    rmSync(work, { recursive: true });
  }
});

/** The environment of somebody who has just installed npm. */
export function emptyHome(home: string): NodeJS.ProcessEnv {
  mkdirSync(home, { recursive: true });
  return { ...process.env, HOME: home, npm_config_update_notifier: 'false' };
}

/** Makes a folder a project that has the package. */
export const installInto = (folder: string): void =>
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
