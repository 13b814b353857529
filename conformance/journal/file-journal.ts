import { hash } from 'node:crypto';
import { appendFile, constants, lstat, mkdir, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { z } from 'zod';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { lockFile } from '../../spec/lock-file.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { type Borrowed, borrowedByHook, borrowedLabel, entryKey, type TurnOptions } from './write-journal.ts';

/** A journal on disk. */
export type FileJournal = ReturnType<typeof fileJournal>;

const state = z.enum(['borrowed', 'returned']);
const lineSchema = z.union([borrowedLabel.extend({ state }), borrowedByHook.extend({ state })]);
type Line = z.output<typeof lineSchema>;

/**
 * A journal on disk with a line per event, which `conformance cleanup` can read after the run was killed. The line that announces a write is
 * flushed before the write is sent. The file is removed when all its entries are returned. Only who has the turn writes to it.
 * @param folder created with the first line
 */
export function fileJournal(folder: string, baseUrl: string) {
  const deployment = hash('sha256', baseUrl).slice(0, 12);
  const file = join(folder, `writes-${deployment}.jsonl`);
  /** Of the file, read before the first line of this run. */
  let pending: Map<string, Borrowed> | undefined;
  const oneAtATime = pLimit(1);
  const record = (line: Line) =>
    oneAtATime(async () => {
      pending ??= await read(file);
      take(line, pending);
      if (pending.size > 0) return append(folder, file, line);
      pending = undefined;
      await rm(file, { force: true });
    });
  return {
    /** The journal of this deployment. */
    file,
    pending: (): Promise<readonly Borrowed[]> => oneAtATime(async () => [...(await read(file)).values()]),
    turn: (options: TurnOptions) => takeTurn(folder, join(folder, `turn-${deployment}.lock`), options),
    borrowed: (entry: Borrowed) => record({ state: 'borrowed', ...entry }),
    returned: (entry: Borrowed) => record({ state: 'returned', ...entry }),
  };
}

/**
 * The entries that are not returned. A link may lead to a file that is no journal, so it is not followed.
 * @throws ConfigurationError that names a line which is none, such as that of a later version: it may announce a write
 */
async function read(file: string): Promise<Map<string, Borrowed>> {
  const pending = new Map<string, Borrowed>();
  const isFile = (await lstat(file).catch(() => undefined))?.isFile() ?? false;
  const lines = isFile ? (await readFile(file, 'utf8')).split('\n') : [];
  for (const [index, text] of lines.entries()) {
    const json = jsonOrUndefined(text);
    // Half a line: a process that was killed while it wrote this had not sent the write yet.
    if (json === undefined) continue;
    const { data } = lineSchema.safeParse(json);
    if (data === undefined)
      throw new ConfigurationError([
        `${file}:${index + 1}: is not a line of this journal; undo what it says by hand, and take it out`,
      ]);
    take(data, pending);
  }
  return pending;
}

function take({ state, ...entry }: Line, pending: Map<string, Borrowed>): void {
  if (state === 'borrowed') pending.set(entryKey(entry), entry);
  else pending.delete(entryKey(entry));
}

/** A crash of the machine may lose a line that only returns an entry: to undo a change twice changes nothing. */
async function append(folder: string, file: string, line: Line): Promise<void> {
  await mkdir(folder, { recursive: true });
  const flag = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW;
  // A killed process or a full disk may have left half a line, so this one begins with a line break.
  await appendFile(file, `\n${JSON.stringify(line)}\n`, { flag, flush: line.state === 'borrowed' });
}

/** Milliseconds between two tries to get the turn. */
const pollInterval = 250;

/**
 * Waits until no other run that uses this folder writes to the same deployment: runs that write at once cannot be told from a faulty deployment.
 * @returns ends the turn
 */
async function takeTurn(folder: string, path: string, { signal, onWait }: TurnOptions) {
  await mkdir(folder, { recursive: true });
  for (let waits = false; signal?.aborted !== true; waits = true) {
    const lock = await lockFile(path);
    if (typeof lock === 'function') return async () => lock();
    if (!waits) onWait?.(lock ?? { pid: 0, host: hostname(), since: new Date().toISOString() });
    await delay(pollInterval);
  }
  return async () => undefined;
}
