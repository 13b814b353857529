import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';

const ticketSchema = z.object({ pid: z.int(), host: z.string(), since: z.string() });
/** A run that waits for its turn, or has it. */
export type Ticket = z.output<typeof ticketSchema>;

/** How a run waits for its turn. */
export interface TurnOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called once, with the run that has the turn. */
  readonly onWait?: ((other: Ticket) => void) | undefined;
}

/** Milliseconds between two heartbeats, which show that a run is alive. */
const heartbeatInterval = 5_000;
/** Milliseconds without a heartbeat after which a run counts as ended. */
const heartbeatTimeout = 30_000;
/** Milliseconds between two checks of the other tickets. */
const pollInterval = 250;
/** Milliseconds. Files that are made within this time may have the same time stamp. */
const clockResolution = 20;

/**
 * Waits until no other run that uses this folder writes to the same deployment: runs that write at once cannot be told from a faulty deployment.
 * Each run has a ticket, which is a file. The run with the oldest ticket, by the clock of the file system, has the turn.
 * @returns ends the turn
 */
export async function takeTurn(folder: string, deployment: string, { signal, onWait }: TurnOptions = {}) {
  const prefix = `turn-${deployment}-`;
  const own = join(folder, `${prefix}${randomUUID().slice(0, 8)}.json`);
  await mkdir(folder, { recursive: true });
  const ticket: Ticket = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  await writeFile(own, JSON.stringify(ticket), { flag: 'wx' });
  const { mtime } = await stat(own);
  // The modification time orders the tickets, so a heartbeat changes only the access time.
  const alive = setInterval(() => utimes(own, new Date(), mtime).catch(() => undefined), heartbeatInterval);
  alive.unref();
  const end = async () => {
    clearInterval(alive);
    await rm(own, { force: true });
  };
  try {
    await wait(clockResolution);
    for (let waits = false; signal?.aborted !== true; await wait(pollInterval)) {
      const first = await firstBefore({ file: own, time: mtime.getTime() }, folder, prefix);
      if (first === null) break;
      if (!waits) onWait?.(first);
      waits = true;
    }
    return end;
  } catch (error) {
    await end();
    throw error;
  }
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The ticket of a run that is alive and came earlier; null if there is none. Removes tickets of killed runs. */
async function firstBefore(
  own: { file: string; time: number },
  folder: string,
  prefix: string,
): Promise<Ticket | null> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = join(folder, entry.name);
    if (!entry.isFile() || !entry.name.startsWith(prefix) || file === own.file) continue;
    const [times, text] = await Promise.all([stat(file), readFile(file, 'utf8')]).catch(() => [null, ''] as const);
    if (times === null) continue;
    const { data: ticket } = ticketSchema.safeParse(jsonOrUndefined(text));
    // A file that is no ticket may be a ticket that is just being written.
    if (ticket === undefined ? Date.now() - times.mtimeMs > heartbeatTimeout : !isAlive(ticket, times.atimeMs)) {
      await rm(file, { force: true });
      continue;
    }
    const later = times.mtime.getTime() - own.time || (file < own.file ? -1 : 1);
    if (later < 0) return ticket ?? { pid: 0, host: hostname(), since: times.mtime.toISOString() };
  }
  return null;
}

function isAlive({ pid, host }: Ticket, seen: number): boolean {
  if (Date.now() - seen > heartbeatTimeout) return false;
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user cannot be signalled, but it is alive.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
