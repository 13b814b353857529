import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
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

/** A journal in files, which `conformance cleanup` can read after the run was killed. */
export interface FileJournal extends WriteJournal {
  /** Glob pattern of the journals of this deployment, for messages. */
  readonly files: string;
  /**
   * Removes the files in which nothing is left to undo, and drops their unreadable lines if that is wanted. Else such lines are kept, because they
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
type Line = z.output<typeof lineSchema>;

interface Event {
  readonly state: Line['state'];
  readonly entry: Borrowed;
}

/**
 * A journal on disk with a line per event. The line that announces a write is flushed before the write is sent. Every run has its own
 * file, so that no run removes entries of another. A file is removed when all its entries are returned.
 * @param folder created with the first line
 */
export function fileJournal(folder: string, baseUrl: string): FileJournal {
  const prefix = `writes-${createHash('sha256').update(baseUrl).digest('hex').slice(0, 12)}`;
  const newFile = () => join(folder, `${prefix}-${randomUUID().slice(0, 8)}.jsonl`);
  const own = newFile();
  /** The entries of the own file that this run has not returned: only this run adds some. */
  let ownPending: ReadonlyMap<string, Borrowed> = new Map();

  /** Only files, no links: a link may lead to a file that is no journal. */
  const allFiles = async () => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(ifMissing([]));
    return entries
      .filter((entry) => entry.isFile() && entry.name.startsWith(prefix) && entry.name.endsWith('.jsonl'))
      .map(({ name }) => join(folder, name));
  };

  /** Removes a file if all its entries are returned. Its run may just be writing another line, so the file is moved and read once more. */
  const removeSpent = async (file: string): Promise<void> => {
    const moved = newFile();
    await rename(file, moved).catch(ifMissing(undefined));
    const { pending, bad } = await read(moved);
    if (pending.size === 0 && bad.length === 0) await rm(moved, { force: true });
  };

  /** Appends events to a file, except returns of entries that the file does not have. @returns these events */
  const write = async (file: string, events: readonly Event[]): Promise<readonly Event[]> => {
    const pending = new Map(file === own ? ownPending : (await read(file)).pending);
    const [lines, unknown]: [Event[], Event[]] = [[], []];
    for (const event of events) {
      const key = entryKey(event.entry);
      if (event.state === 'borrowed') pending.set(key, event.entry);
      else if (!pending.delete(key)) {
        unknown.push(event);
        continue;
      }
      lines.push(event);
    }
    if (lines.length > 0) await append(folder, file, lines);
    if (file === own) ownPending = pending;
    if (lines.length > 0 && pending.size === 0) await removeSpent(file);
    return unknown;
  };

  // One operation at a time: nothing may be appended between the check that a file has no pending entry and its removal.
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
      const written = queued(async () => {
        batch = undefined;
        const unknown = await write(own, events);
        for (const file of unknown.length > 0 ? await allFiles() : []) await write(file, unknown);
      });
      batch = { events, written };
    }
    batch.events.push(event);
    return batch.written;
  };

  return {
    files: join(folder, `${prefix}*.jsonl`),
    pending: () =>
      queued(async () => {
        const found = new Map<string, Borrowed>();
        for (const { pending } of await Promise.all((await allFiles()).map(read)))
          for (const [name, entry] of pending) found.set(name, laterOf(found.get(name), entry));
        return [...found.values()];
      }),
    turn: (target, options) => takeTurn(folder, target, options),
    borrowed: (entry) => record({ state: 'borrowed', entry }),
    returned: (entry) => record({ state: 'returned', entry }),
    sweep: (forget) =>
      queued(async () => {
        const [dropped, kept]: [BadLine[], BadLine[]] = [[], []];
        for (const file of await allFiles()) {
          const { pending, bad } = await read(file);
          const isSpent = pending.size === 0 && (forget || bad.length === 0);
          (isSpent ? dropped : kept).push(...bad);
          if (isSpent && bad.length > 0) await rm(file, { force: true });
          else if (isSpent) await removeSpent(file);
        }
        return { dropped, kept };
      }),
  };
}

function lineOf({ state, entry }: Event): Line {
  if ('hook' in entry) return { state, tenant: entry.tenant, hook: entry.hook, input: entry.input };
  const { tenant, holder, label, inverse, until } = entry;
  return {
    state,
    tenant,
    holder,
    label,
    ...(inverse && { inverse }),
    ...(until !== undefined && state === 'borrowed' && { until }),
  };
}

/** Of equal entries in the journals of two runs, the one whose writes may arrive later. */
const laterOf = (known: Borrowed | undefined, next: Borrowed): Borrowed =>
  known !== undefined && untilOf(known) > untilOf(next) ? known : next;
const untilOf = (entry: Borrowed) => ('hook' in entry ? 0 : (entry.until ?? 0));

async function read(
  file: string,
): Promise<{ readonly pending: Map<string, Borrowed>; readonly bad: readonly BadLine[] }> {
  const pending = new Map<string, Borrowed>();
  const bad: BadLine[] = [];
  const lines = (await readFile(file, 'utf8').catch(ifMissing(''))).split('\n');
  for (const [index, text] of lines.entries()) {
    // A process that was killed while it wrote this line had not sent the write yet.
    if (text.trim() === '' || isTorn(text)) continue;
    const line = parse(text);
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
  const handle = await open(file, 'a+');
  try {
    const { size } = await handle.stat();
    // A killed process or a full disk may have left half a line, so the next entry begins with a line break.
    const torn = size > 0 && (await handle.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0] !== newline;
    const lines = events.map((event) => `${JSON.stringify(lineOf(event))}\n`);
    await handle.writeFile(`${torn ? '\n' : ''}${lines.join('')}`);
    if (events.some(({ state }) => state === 'borrowed')) await handle.sync();
    if (size === 0 || created !== undefined) await syncFolder(folder);
    // A cleanup that found nothing in the file may have moved it away meanwhile, and not have seen this line.
    const current = await stat(file).catch(ifMissing(undefined));
    if (current?.ino === (await handle.stat()).ino) return;
  } finally {
    await handle.close();
  }
  await append(folder, file, events);
}

const newline = 10;

/** Syncs a folder. Windows cannot open a folder, and needs no such sync. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** A catch handler that returns this value when the file does not exist. */
const ifMissing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };

const parse = (text: string): Line | undefined => lineSchema.safeParse(jsonOrUndefined(text)).data;
