import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { lockFile } from '../../spec/lock-file.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import type { Mock } from '../create-mock.ts';
import { newSecret } from '../keys/secret.ts';
import { tooMuchJson } from '../request/check-request.ts';
import type { Snapshot } from '../snapshot/restore-snapshot.ts';
import { writeToDisk } from '../storage/disk-files.ts';
import type { FileStore } from '../storage/files.ts';

/** The files that a mock has written. Other files in the folder are never touched. */
const blobsIn = (folder: string) =>
  readdirSync(folder).filter((name) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:\..*\.part)?$/.test(name));

/**
 * Keeps files in a folder that only its owner may read. Removed files stay on disk until they are purged, because the state
 * file may refer to them until it is written again. `close` keeps everything.
 */
async function keptFiles(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await lstat(folder)).isSymbolicLink()) throw new Error(`${folder} is a link; name a folder`);
  await chmod(folder, 0o700);
  const removed = new Set<string>();
  const has = (name: string) => !removed.has(name) && existsSync(join(folder, name));
  const purge = async (names: Iterable<string>) => {
    for (const name of names) {
      await rm(join(folder, name), { force: true });
      removed.delete(name);
    }
  };
  const files: FileStore = {
    // The state file, which is synced too, will name it.
    write: (name, bytes) => writeToDisk(folder, name, bytes, true),
    has,
    read: (name) => (has(name) ? createReadStream(join(folder, name)) : undefined),
    remove: async (name) => void removed.add(name),
    async close() {},
  };
  return {
    ...files,
    /** The names of files that were removed but are still on disk. */
    obsolete: () => [...removed],
    /** Removes files for good. */
    purge,
    /** Removes every file that is not in `used`, for good. Call it only while nothing is written. */
    keepOnly: async (used: ReadonlySet<string>) => purge(blobsIn(folder).filter((name) => !used.has(name))),
  };
}

/**
 * Opens and locks the state of a mock on disk: a JSON file, the bytes of uploaded files in the folder `<file>.files`, the secret that
 * signs upload URLs in `<file>.secret`, and a lock in `<file>.lock`, so that two mocks never write the same state.
 * @throws ConfigurationError, for example if another mock has the lock
 */
export async function openStateFile(path: string) {
  const asConfiguration = (error: Error) => {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError([`--state ${path}: cannot keep uploaded files beside this file: ${error.message}`]);
  };
  const release = await lockFile(`${path}.lock`).catch(asConfiguration);
  if (typeof release !== 'function') {
    const elsewhere = release?.host === hostname() ? '' : ` on ${release?.host}`;
    const holder = release === null ? 'another process' : `process ${release.pid}${elsewhere} since ${release.since}`;
    throw new ConfigurationError([
      `--state ${path} is in use by ${holder}; end that process, or start this mock with another state file`,
    ]);
  }
  const beside = async () => {
    const files = await keptFiles(`${path}.files`);
    await removeUnfinished(path);
    return { files, uploadSecret: await keptUploadSecret(`${path}.secret`) };
  };
  const { files, uploadSecret } = await beside().catch((error) => {
    release();
    return asConfiguration(error);
  });
  let saved = '';
  let saving = Promise.resolve();

  const write = async (mock: Mock) => {
    const obsolete = files.obsolete();
    const snapshot = await mock.snapshot({ content: false });
    const state = comparable(snapshot);
    if (state === saved) return;
    await writeAtomically(path, `${JSON.stringify(snapshot, null, 1)}\n`);
    saved = state;
    await files.purge(obsolete);
  };
  const save = (mock: Mock) => {
    // Writes run one after the other. A failed write does not stop the next one.
    saving = saving.catch(() => undefined).then(() => write(mock));
    return saving;
  };

  return {
    /** The store in which the mock must keep uploaded files. */
    files,
    /** The secret with which the mock must sign upload URLs, so that they work after a restart. */
    uploadSecret,
    /** Releases the lock, so that another mock can use the file. */
    release,
    /**
     * Restores the state of the file, if there is one.
     * @throws ConfigurationError if the file has no valid state; then neither the mock nor the file was changed
     */
    async load(mock: Mock) {
      const snapshot = await read(path);
      if (snapshot !== undefined) await mock.restore(snapshot, path);
      const taken = await mock.snapshot({ content: false });
      if (snapshot !== undefined) saved = comparable(taken);
      const blobs = taken.tenants.flatMap((tenant) => tenant.files.flatMap(({ stored }) => stored?.blob ?? []));
      await files.keepOnly(new Set(blobs));
    },
    /** Writes the state. A crash meanwhile leaves the old file complete. */
    save,
    /** Saves at intervals, if anything has changed. @returns a function that saves once more and stops */
    keepSaving(mock: Mock, everyMilliseconds: number, onError: (error: unknown) => void) {
      const timer = setInterval(() => save(mock).catch(onError), everyMilliseconds).unref();
      return () => {
        clearInterval(timer);
        return save(mock);
      };
    },
  };
}

/** The snapshot without the time at which it was taken. */
const comparable = ({ takenAt: _, ...state }: Snapshot) => JSON.stringify(state);

async function read(path: string): Promise<unknown> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new ConfigurationError([`--state ${path}: cannot be read: ${error.message}`]);
  });
  if (bytes === undefined) return undefined;
  // JSON that is nested too deep would overflow the stack.
  const state = tooMuchJson(bytes) === null ? jsonOrUndefined(bytes.toString()) : undefined;
  if (state !== undefined) return state;
  throw new ConfigurationError([
    `--state ${path}: is not JSON; name a file that partnerkit has written, or a new file`,
  ]);
}

/**
 * The secret that signs upload URLs, kept beside a state file so that the URLs work after a restart. It has a file of its
 * own, because people may show, send or commit the state.
 */
async function keptUploadSecret(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (kept.length >= 40) return kept;
  const secret = newSecret();
  await writeAtomically(path, secret);
  return secret;
}

/** Writes a file as a whole, safe from a power cut. */
export const writeAtomically = (path: string, text: string) =>
  writeToDisk(dirname(path), basename(path), [new TextEncoder().encode(text)], true);

/** Removes what a crash while writing that file has left. */
async function removeUnfinished(path: string): Promise<void> {
  const isUnfinished = (name: string) => name.startsWith(`${basename(path)}.`) && name.endsWith('.part');
  for (const name of (await readdir(dirname(path))).filter(isUnfinished))
    await rm(join(dirname(path), name), { force: true });
}
