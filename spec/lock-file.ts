import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from './files/configuration-error.ts';

/** The process that has a lock. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** ISO time. */
  readonly since: string;
}

/**
 * Takes a lock file for as long as this process runs. No other user of the file gets the lock, in whatever process or
 * container. SQLite uses a lock of the operating system, so the lock of a killed process is free at once and never stale.
 * The file stays when the lock is released.
 * @returns a function that releases the lock; or who has it, null where that is not known
 * @throws ConfigurationError where the file is no lock file
 */
export async function lockFile(path: string): Promise<(() => void) | LockHolder | null> {
  // Created here and not by SQLite, so that no other user can read it and no link is followed (Windows has no such flag).
  const { constants } = process.getBuiltinModule('node:fs');
  const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  await (await open(path, flags, 0o600)).close();
  const database = new (sqlite().DatabaseSync)(path, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
    // The holder is written in a separate transaction, because others can only read what is committed.
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
    if (isBusy(error)) return holder;
    throw new ConfigurationError([`${path}: is not a lock file of partnerkit; remove the file`]);
  }
}

function holderOf(database: DatabaseSync): LockHolder | null {
  try {
    return (database.prepare('SELECT * FROM holder').get() as LockHolder | undefined) ?? null;
  } catch {
    // The holder may be writing its name right now.
    return null;
  }
}

const isBusy = (error: unknown) =>
  error instanceof Error && 'errcode' in error && [5, 6].includes(Number(error.errcode) & 0xff);

/** Suppresses the warning of Node 22 that `node:sqlite` is experimental. */
function sqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
