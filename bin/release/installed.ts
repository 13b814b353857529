import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { madeOnce } from './made-once.ts';
import { runCommand } from './package-check/command.ts';
import { pack } from './package-check/pack.ts';
import { program } from './program.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * A project in which the packed package is installed, as README says: its `npx partnerkit` is the command of every page. What is packed is
 * the program that tests start, without types, where `PARTNERKIT_TARBALL` names no package.
 */
const project = await madeOnce('installed', async (folder) => {
  const work = mkdtempSync(join(tmpdir(), 'partnerkit-packed-'));
  try {
    cpSync(join(root, 'package.json'), join(work, 'package.json'));
    cpSync(dirname(dirname(program)), join(work, 'dist'), { recursive: true, dereference: true });
    const env = { ...process.env, npm_config_ignore_scripts: 'true' };
    const tarball = await pack(work, env);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    // What the package needs is taken from here, because tests need no network.
    const zod = join(root, 'node_modules/zod');
    const flags = ['--no-audit', '--no-fund', '--offline', '--install-links', '--omit=peer'];
    await runCommand('npm', ['install', ...flags, zod, tarball], { cwd: folder, env: emptyHome(work) });
    rmSync(dirname(tarball), { recursive: true });
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
