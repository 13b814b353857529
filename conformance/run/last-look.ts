import { Bench, type RunState } from '../experiments/bench.ts';
import { context } from '../experiments/shelf.ts';
import type { Script } from '../scripts/script.ts';
import { holderKey } from '../target/holder.ts';

/** At the end of a run every record is seen once more, and spare labels that it still carries are taken off: nobody but a run puts them on. */
export async function lastLook(state: RunState): Promise<Script[]> {
  const shelves = (await Promise.all(state.shelves.values()))
    .filter((shelf) => shelf !== null)
    .filter(({ views }) => views.size > 0);
  if (shelves.length === 0) return [];
  return [
    {
      id: 'labels/last-look',
      title: 'every record is seen once more, and spare labels that it still carries are taken off',
      tries: [],
      uses: [],
      locks: shelves.map(({ known }) => holderKey(known.holder)),
      writes: 'labels',
      async run(scene) {
        const b = new Bench(scene, state);
        // A look that is a write may itself be what changes another record, so those that only read come last.
        const readable = shelves.filter(({ views }) => views.has(context));
        const emptied = (some: typeof shelves) => Promise.all(some.map((shelf) => shelf.establish(b, new Set())));
        await emptied(shelves.filter((one) => !readable.includes(one)));
        await emptied(readable);
        await Promise.all(readable.map((shelf) => shelf.look(b, { rule: null })));
      },
    },
  ];
}
