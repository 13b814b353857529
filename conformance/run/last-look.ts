import type { RunState } from '../experiments/bench.ts';
import type { Script } from '../scripts/script.ts';
import { holderKey } from '../target/holder.ts';

/** At the end of a run every record is seen once more, and spare labels that it still carries are taken off: nobody but a run puts them on. */
export async function lastLook(state: RunState): Promise<Script[]> {
  const records = (await Promise.all(state.records.values()))
    .filter((record) => record !== null)
    .filter(({ isSeen }) => isSeen);
  if (records.length === 0) return [];
  return [
    {
      id: 'labels/last-look',
      title: 'every record is seen once more, and spare labels that it still carries are taken off',
      tries: [],
      locks: records.map(({ known }) => holderKey(known.holder)),
      writes: 'labels',
      async run(b) {
        // A look that is a write may itself be what changes another record, so those that only read come last.
        const readable = records.filter(({ isRead }) => isRead);
        const emptied = (some: typeof records) => Promise.all(some.map((record) => record.establish(b, new Set())));
        await emptied(records.filter((one) => !readable.includes(one)));
        await emptied(readable);
        await Promise.all(readable.map((record) => record.look(b, { rule: null })));
      },
    },
  ];
}
