import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { runCommand } from './command.ts';

/**
 * Builds and packs the package as `npm publish` would, or uses the tarball in `PARTNERKIT_TARBALL`: two builds at the same time
 * would remove each other's files.
 * @returns the path of the tarball, in a folder of its own
 */
export async function pack(root: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-pack-'));
  const packed = process.env.PARTNERKIT_TARBALL;
  if (packed) {
    const tarball = join(folder, basename(packed));
    copyFileSync(packed, tarball);
    return tarball;
  }
  await runCommand('npm', ['pack', '--pack-destination', folder], { cwd: root, env: process.env });
  const [tarball] = readdirSync(folder);
  if (tarball === undefined) throw new Error(`npm pack wrote nothing to ${folder}`);
  return join(folder, tarball);
}

/** Installs the tarball into a new empty project. @returns its folder; the path contains a space */
export async function install(tarball: string, env: NodeJS.ProcessEnv): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), 'partnerkit-check-')), 'a new project');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  await runCommand('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: folder, env });
  return folder;
}

/** The size of all files below a folder, in bytes. */
export function sizeOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  return bytes;
}
