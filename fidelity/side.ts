import { Stopped } from '../conformance/client/ask.ts';
import type { Environment } from '../conformance/client/environment.ts';
import type { Bench } from '../conformance/experiments/bench.ts';
import type { WriteJournal } from '../conformance/journal/write-journal.ts';
import { gather, type RunOptions } from '../conformance/run/run.ts';
import type { Script } from '../conformance/scripts/script.ts';
import type { Target } from '../spec/files/target.ts';

/** A deployment that is asked. */
export interface Side {
  readonly target: Target;
  readonly environment: Environment;
  readonly journal: WriteJournal;
}

export type OpenSide = Awaited<ReturnType<typeof openSide>>;

/**
 * Begins a run that sends what it is told, at the pace of its keys and through its journal, until it is closed.
 * @throws PreflightError, UntrueTarget; Stopped when the run ends before anything could be sent
 */
export async function openSide(
  { target, environment, journal }: Side,
  options: Omit<RunOptions, 'environment' | 'journal'>,
) {
  const ready = Promise.withResolvers<Bench>();
  const closed = Promise.withResolvers<void>();
  const script: Script = {
    id: 'asked',
    title: 'what it is asked from outside',
    tries: [],
    ...(!options.readOnly && { writes: 'labels' }),
    run(b) {
      ready.resolve(b);
      return closed.promise;
    },
  };
  const history = gather(target, { ...options, environment, journal, scripts: [script] });
  const ended = history.then(({ skipped }): never => {
    throw new Stopped(skipped.flatMap(({ why }) => why).join('; ') || 'the run has ended');
  });
  ended.catch(ready.reject);
  return {
    bench: await ready.promise,
    /** The result, unless the run ends before. @throws Stopped */
    during: <T>(work: Promise<T>): Promise<T> => Promise.race([work, ended]),
    /** Undoes what is not undone yet. */
    close() {
      closed.resolve();
      return history;
    },
  };
}
