import { type Ask, Stopped } from '../client/ask.ts';
import type { Client } from '../client/client.ts';
import { Bench, type Scene } from '../experiments/bench.ts';
import type { Script } from '../scripts/script.ts';
import { labelWriteOf } from '../target/holder.ts';
import type { Blockade } from './blockade.ts';
import type { HookRunner } from './hook-runner.ts';
import type { WriteGuard } from './write-guard.ts';

/** What all scripts of a run share. */
export interface RunParts {
  readonly client: Client;
  readonly blockade: Blockade;
  /** Why nothing more is sent, or null. */
  readonly ended: () => string | null;
  readonly guard: WriteGuard;
  readonly hooks: HookRunner;
  readonly scene: Omit<Scene, 'send' | 'put' | 'hook' | 'over'>;
}

/**
 * Runs one script, and undoes what it did inside the product, even if it stops early.
 * @returns why it stopped early, or null
 */
export async function runScript(
  script: Script,
  { client, blockade, ended, guard, hooks, scene: shared }: RunParts,
): Promise<string | null> {
  const { id } = script;
  const { deployment, newId } = shared;
  const underWay = new Set<Promise<unknown>>();
  const { promise: failed, reject: end } = Promise.withResolvers<never>();
  const { promise: over, resolve: finish } = Promise.withResolvers<null>();
  let isOver = false;
  /**
   * What a script does at the same time ends together: the first that cannot go on ends the script, and the others are never resumed. So
   * nothing follows what undoes them, and no rejection is left that nobody waits for.
   */
  const during = async <T>(act: () => Promise<T>): Promise<T> => {
    if (isOver) return new Promise(() => {});
    const acting = act();
    underWay.add(acting);
    try {
      return await acting;
    } catch (error) {
      end(error);
      return new Promise(() => {});
    } finally {
      underWay.delete(acting);
    }
  };
  const send = async (asked: Ask) => {
    await blockade.open();
    const blocked = blockade.blocked();
    if (blocked !== null) throw new Stopped(blocked);
    const wanted = labelWriteOf(asked.operation, asked.params ?? {});
    const tenant = asked.key?.tenant ?? deployment.tenant.name;
    // What could not be taken off again is not put on, even where it should be refused: a label that does not exist takes its place.
    const label = wanted === null || guard.canUndo(wanted, tenant) ? null : newId();
    const facts = asked.facts && ({ ...asked.facts, label: 'unknown' } as const);
    const ask = label === null ? asked : { ...asked, params: { ...asked.params, labelId: label }, facts };
    const write = wanted && { ...wanted, ...(label !== null && { label }) };
    if (write !== null) await guard.before(write, tenant);
    const exchange = await client.send(ask, { script: id });
    if (write !== null) guard.after(write, tenant, exchange);
    blockade.saw(ask, exchange);
    return exchange;
  };
  const scene: Scene = {
    ...shared,
    over,
    send: (asked) => during(() => send(asked)),
    put: (start, put) => during(() => client.put(start, put, { script: id })),
    hook: (name, input) => during(() => hooks.run(name, deployment.tenant.name, input, id)),
  };
  let why = ended();
  try {
    if (why === null) await Promise.race([script.run(new Bench(scene)), failed]);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    why = error.message;
  } finally {
    isOver = true;
    finish(null);
    await Promise.allSettled(underWay);
    await hooks.undo(id);
  }
  return why;
}
