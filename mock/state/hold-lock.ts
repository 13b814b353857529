import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';

/**
 * Takes a lock file for as long as this process lives: nobody else gets it, in this process, another or another container.
 * The lock is SQLite's, which is the operating system's own, so that one whose holder was killed is free at once and none
 * has to be called stale. The file stays; what counts is the lock on it.
 * @returns what gives it back
 * @throws ConfigurationError that names who holds it
 */
export async function holdLock(path: string, what: string): Promise<() => void> {
  // The lock file is made here, so that no other user may read it and no planted link is followed; Windows has no such flag.
  const { constants } = process.getBuiltinModule('node:fs');
  const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  await (await open(path, flags, 0o600)).close();
  const database = new (sqlite().DatabaseSync)(path, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
    // The holder is written in a transaction of its own: others cannot read what is not committed yet.
    database.exec('BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS holder (pid, host, since); DELETE FROM holder');
    const since = new Date().toISOString();
    database.prepare('INSERT INTO holder VALUES (?, ?, ?)').run(process.pid, hostname(), since);
    database.exec('COMMIT; BEGIN IMMEDIATE');
    return () => {
      if (database.isOpen) database.close();
    };
  } catch (error) {
    const holder = holderOf(database);
    database.close();
    if (!isBusy(error)) throw new ConfigurationError([`${path}: is no lock file of partnerkit; remove the file`]);
    throw new ConfigurationError([
      `${what} is in use by ${holder}; end that process, or give this mock a state file of its own`,
    ]);
  }
}

function holderOf(database: DatabaseSync): string {
  try {
    const { pid, host, since } = database.prepare('SELECT * FROM holder').get() ?? {};
    const elsewhere = host === hostname() ? '' : ` on ${host}`;
    return pid === undefined ? 'another process' : `process ${pid}${elsewhere} since ${since}`;
  } catch {
    // The holder is writing its name at this moment.
    return 'another process';
  }
}

const isBusy = (error: unknown) =>
  error instanceof Error && 'errcode' in error && [5, 6].includes(Number(error.errcode) & 0xff);

/** Node 22 warns that `node:sqlite` is an experiment; users of the mock need not read this warning. */
function sqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
