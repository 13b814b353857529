import { createHash } from 'node:crypto';
import { appendFile, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Borrowed, WriteJournal } from './write-journal.ts';

interface Line extends Borrowed {
  readonly state: 'borrowed' | 'returned';
}

/**
 * A journal on disk, one per deployment: a line per event, flushed before the write it announces is sent. It is gone when
 * everything is returned.
 * @param folder made when the first line is written.
 */
export function fileJournal(folder: string, baseUrl: string): WriteJournal & { readonly file: string } {
  const name = createHash('sha256').update(baseUrl).digest('hex').slice(0, 12);
  const file = join(folder, `writes-${name}.jsonl`);

  const pending = async () => {
    const entries = new Map<string, Borrowed>();
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    for (const line of text.split('\n')) {
      const read = parse(line);
      if (read === undefined) continue;
      const { state, ...entry } = read;
      if (state === 'borrowed') entries.set(JSON.stringify(entry), entry);
      else entries.delete(JSON.stringify(entry));
    }
    return [...entries.values()];
  };

  return {
    file,
    pending,
    async borrowed({ tenant, holder, label }) {
      await mkdir(folder, { recursive: true });
      const handle = await open(file, 'a');
      try {
        await handle.write(`${JSON.stringify({ state: 'borrowed', tenant, holder, label } satisfies Line)}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    async returned({ tenant, holder, label }) {
      await appendFile(file, `${JSON.stringify({ state: 'returned', tenant, holder, label } satisfies Line)}\n`);
      if ((await pending()).length === 0) await rm(file, { force: true });
    },
  };
}

/** A process that died while it wrote leaves half a line: what it announced was not sent yet. */
function parse(line: string): Line | undefined {
  if (line === '') return undefined;
  try {
    return JSON.parse(line) as Line;
  } catch {
    return undefined;
  }
}
