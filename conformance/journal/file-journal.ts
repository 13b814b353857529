import { createHash } from 'node:crypto';
import { constants, lstat, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type HookName, hooks } from '../../spec/files/hooks.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { takeTurn } from './turn.ts';
import { type Borrowed, entryKey, type WriteJournal } from './write-journal.ts';

/** A line that is not a journal entry. */
export interface BadLine {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  readonly text: string;
}

/** A journal on disk, which `conformance cleanup` can read after the run was killed. */
export interface FileJournal extends WriteJournal {
  /** The journal of this deployment. */
  readonly file: string;
  /**
   * Removes the file if nothing in it is left to undo, and drops its unreadable lines if that is wanted. Else such lines are kept, because they
   * may announce a write.
   */
  sweep(forget: boolean): Promise<{ readonly dropped: readonly BadLine[]; readonly kept: readonly BadLine[] }>;
}

const id = z.string().min(1);
const state = z.enum(['borrowed', 'returned']);
const hookLine = z.object({
  state,
  tenant: z.string(),
  hook: z.enum(Object.keys(hooks.shape) as [HookName, ...HookName[]]),
  input: z.record(z.string(), z.string()),
});
const labelLine = z.object({
  state,
  tenant: z.string(),
  holder: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('conversation'), id }),
    z.object({ kind: z.literal('site'), id }),
    z.object({ kind: z.literal('link'), clientId: id, siteId: id }),
  ]),
  label: id,
  inverse: z.literal('apply').exactOptional(),
  until: z.number().exactOptional(),
});
const lineSchema = z.union([labelLine, hookLine]);

interface Event {
  readonly state: z.output<typeof state>;
  readonly entry: Borrowed;
}

/**
 * A journal on disk with a line per event. The line that announces a write is flushed before the write is sent. The file is removed when all its
 * entries are returned. Only who has the turn writes to it.
 * @param folder created with the first line
 */
export function fileJournal(folder: string, baseUrl: string): FileJournal {
  const deployment = createHash('sha256').update(baseUrl).digest('hex').slice(0, 12);
  const file = join(folder, `writes-${deployment}.jsonl`);
  /** Of the file, read before the first line of this run. */
  let pending: Map<string, Borrowed> | undefined;

  const write = async (events: readonly Event[]): Promise<void> => {
    pending ??= (await read(file)).pending;
    const known: Event[] = [];
    for (const event of events) {
      const name = entryKey(event.entry);
      if (event.state === 'borrowed') pending.set(name, event.entry);
      else if (!pending.delete(name)) continue;
      known.push(event);
    }
    if (known.length === 0) return;
    if (pending.size > 0 || (await read(file)).bad.length > 0) return append(folder, file, known);
    pending = undefined;
    await rm(file, { force: true });
  };

  // One operation at a time.
  let last: Promise<unknown> = Promise.resolve();
  const queued = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };

  // Events that arrive while an earlier line is flushed are flushed together.
  let batch: { readonly events: Event[]; readonly written: Promise<void> } | undefined;
  const record = (event: Event): Promise<void> => {
    if (batch === undefined) {
      const events: Event[] = [];
      const written = queued(() => {
        batch = undefined;
        return write(events);
      });
      batch = { events, written };
    }
    batch.events.push(event);
    return batch.written;
  };

  return {
    file,
    pending: () => queued(async () => [...(await read(file)).pending.values()]),
    turn: (options) => takeTurn(folder, deployment, options),
    borrowed: (entry) => record({ state: 'borrowed', entry }),
    returned: (entry) => record({ state: 'returned', entry }),
    sweep: (forget) =>
      queued(async () => {
        const { pending, bad } = await read(file);
        const isSpent = pending.size === 0 && (forget || bad.length === 0);
        if (isSpent) await rm(file, { force: true });
        return isSpent ? { dropped: bad, kept: [] } : { dropped: [], kept: bad };
      }),
  };
}

/** The entries that are not returned, and the lines that are none. A link may lead to a file that is no journal, so it is not followed. */
async function read(file: string) {
  const pending = new Map<string, Borrowed>();
  const bad: BadLine[] = [];
  const isFile = (await lstat(file).catch(() => undefined))?.isFile() ?? false;
  const lines = isFile ? (await readFile(file, 'utf8')).split('\n') : [];
  for (const [index, text] of lines.entries()) {
    // A process that was killed while it wrote this line had not sent the write yet.
    if (text.trim() === '' || isTorn(text)) continue;
    const line = lineSchema.safeParse(jsonOrUndefined(text)).data;
    if (line === undefined) {
      bad.push({ file, line: index + 1, text });
      continue;
    }
    const { state, ...entry } = line;
    if (state === 'borrowed') pending.set(entryKey(entry), entry);
    else pending.delete(entryKey(entry));
  }
  return { pending, bad };
}

const start = '{"state":"';

/** Whether a line begins as a journal entry but ends inside a string or an object. */
function isTorn(text: string): boolean {
  if (!text.startsWith(start) && !start.startsWith(text)) return false;
  const outside = text.replace(/"(?:[^"\\]|\\.)*"/g, '');
  return outside.includes('"') || outside.split('{').length > outside.split('}').length;
}

/**
 * Resolves when the lines and the directory entry of their file are on disk. A crash of the machine may lose lines that only return entries: to
 * undo a change twice changes nothing.
 */
async function append(folder: string, file: string, events: readonly Event[]): Promise<void> {
  const created = await mkdir(folder, { recursive: true });
  const handle = await open(file, constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await handle.stat();
    // A killed process or a full disk may have left half a line, so these begin with a line break.
    await handle.writeFile(events.map(({ state, entry }) => `\n${JSON.stringify({ state, ...entry })}\n`).join(''));
    if (events.some(({ state }) => state === 'borrowed')) await handle.sync();
    if (size === 0 || created !== undefined) await syncFolder(folder);
  } finally {
    await handle.close();
  }
}

/** Syncs a folder. Windows cannot open a folder, and needs no such sync. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
