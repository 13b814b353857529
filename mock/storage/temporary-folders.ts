import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The name of a folder says which process owns it, because other machines and containers may use the same parent folder. */
const prefix = `partnerkit-${hostname().replaceAll(/[^\w.-]/g, '_')}-`;

/** The folders that this thread uses. */
const open = new Set<string>();

/** Creates a folder that is removed when the process exits. If the process is killed, the next one removes the folder. */
export async function makeTemporaryFolder(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, `${prefix}${process.pid}-`));
  if (open.size === 0) process.on('exit', removeOpen);
  open.add(folder);
  return folder;
}

export async function removeTemporaryFolder(folder: string): Promise<void> {
  // A file that is being written may come into the folder while the folder is emptied.
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  open.delete(folder);
  if (open.size === 0) process.off('exit', removeOpen);
}

function removeOpen(): void {
  for (const folder of open) rmSync(folder, { recursive: true, force: true });
}

/**
 * Removes the folders of processes that were killed. Folders that cannot be removed, for example of another user, stay.
 * @returns the paths of the removed folders
 */
export async function removeAbandonedFolders(parent: string = tmpdir()): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(prefix) ? /^(\d+)-\w{6}$/.exec(name.slice(prefix.length))?.[1] : undefined;
    const folder = join(parent, name);
    if (pid === undefined || !(await isAbandoned(folder, Number(pid)))) continue;
    const failed = await rm(folder, { recursive: true, force: true }).catch(() => true);
    if (failed !== true) removed.push(folder);
  }
  return removed;
}

async function isAbandoned(folder: string, pid: number): Promise<boolean> {
  if (pid === process.pid) {
    // In containers every process may have the same id. A folder older than this process belongs to an earlier one.
    const startedAt = Date.now() - process.uptime() * 1_000;
    return stat(folder).then(
      ({ mtimeMs }) => mtimeMs < startedAt - 1_000,
      () => false,
    );
  }
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM would mean that the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
