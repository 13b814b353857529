import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Borrowed, WriteJournal } from './write-journal.ts';

interface Line extends Borrowed {
  readonly state: 'borrowed' | 'returned';
}

/**
 * A journal on disk: a line per event, flushed before the write it announces is sent. Every run has a file of its own, so that
 * none removes what another has just written; a file is gone when everything in it is returned.
 * @param folder made when the first line is written; `files` is how the journals of this deployment are called there.
 */
export function fileJournal(folder: string, baseUrl: string): WriteJournal & { readonly files: string } {
  const prefix = `writes-${createHash('sha256').update(baseUrl).digest('hex').slice(0, 12)}`;
  const own = join(folder, `${prefix}-${randomUUID().slice(0, 8)}.jsonl`);

  const all = async () => {
    const names = await readdir(folder).catch(nothing([]));
    return names.filter((name) => name.startsWith(prefix) && name.endsWith('.jsonl')).map((name) => join(folder, name));
  };

  const markReturned = async (file: string, entry: Borrowed): Promise<boolean> => {
    const entries = await pendingIn(file);
    if (!entries.delete(nameOf(entry))) return false;
    if (entries.size === 0) await rm(file, { force: true });
    else await append(folder, file, { state: 'returned', ...entry });
    return true;
  };

  // One after the other: between reading that all is returned and removing the file nothing may be written.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };

  return {
    files: join(folder, `${prefix}*.jsonl`),
    pending: () =>
      inTurn(async () => {
        const found = await Promise.all((await all()).map(pendingIn));
        return [...new Map(found.flatMap((entries) => [...entries])).values()];
      }),
    borrowed: ({ tenant, holder, label }) =>
      inTurn(() => append(folder, own, { state: 'borrowed', tenant, holder, label })),
    returned: ({ tenant, holder, label }) =>
      inTurn(async () => {
        const entry = { tenant, holder, label };
        if (await markReturned(own, entry)) return;
        for (const file of await all()) await markReturned(file, entry);
      }),
  };
}

const nameOf = ({ tenant, holder, label }: Borrowed) => JSON.stringify({ tenant, holder, label });

async function pendingIn(file: string): Promise<Map<string, Borrowed>> {
  const entries = new Map<string, Borrowed>();
  for (const line of (await readFile(file, 'utf8').catch(nothing(''))).split('\n')) {
    const read = parse(line);
    if (read === undefined) continue;
    const { state, ...entry } = read;
    if (state === 'borrowed') entries.set(nameOf(entry), entry);
    else entries.delete(nameOf(entry));
  }
  return entries;
}

/** Resolves when the line is on the disk, and so is the name of the file that it is in. */
async function append(folder: string, file: string, line: Line): Promise<void> {
  const made = await mkdir(folder, { recursive: true });
  const handle = await open(file, 'a+');
  try {
    const { size } = await handle.stat();
    // A process that died left half a line, or a disk that was full did: what follows begins on its own.
    const torn = size > 0 && (await handle.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0] !== newline;
    await handle.writeFile(`${torn ? '\n' : ''}${JSON.stringify(line)}\n`);
    await handle.sync();
    if (size === 0 || made !== undefined) await syncFolder(folder);
  } finally {
    await handle.close();
  }
}

const newline = 10;

/** Not every system lets a folder be opened; where it does not, it does not need to. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

const nothing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };

/** Half a line, of a process that died while it wrote, announces a write that was not sent yet. */
function parse(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isLine(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null) return false;
  const { state, tenant, holder, label } = value as Partial<Record<keyof Line, unknown>>;
  const known = state === 'borrowed' || state === 'returned';
  return (
    known && typeof tenant === 'string' && typeof label === 'string' && typeof holder === 'object' && holder !== null
  );
}
