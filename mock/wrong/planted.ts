import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import type { ApiRequest, Wrong } from '../in-process.ts';
import { Trace } from '../trace.ts';
import type { Defect } from './tampering/defect.ts';

/** How often a defect shows. */
export interface Chance {
  /** The probability that a request meets it: 1 by default. */
  readonly chance?: number | undefined;
  /** Of a chance below 1: the same seed meets the same requests. 1 by default. */
  readonly seed?: number | undefined;
}

/**
 * A defect, or a habit, as an option of `createMock`. The journal names it at each exchange that it changed, in place of a fault.
 * @param how.reached is called whenever it changes something
 */
export function planted(
  { id, rule, does, around, createLimiter }: Omit<Defect, 'rule' | 'product'> & Partial<Pick<Defect, 'rule'>>,
  { chance = 1, seed = 1, reached }: Chance & { readonly reached?: () => void } = {},
): Wrong {
  const fired = {
    id,
    breaks: rule,
    why: `${rule ? 'Wrong on purpose' : 'Right in an unusual way'}: ${does} (${id}).`,
    damage: <Reply>(reply: Reply) => reply,
  };
  const asked = new AsyncLocalStorage<Trace>();
  const reach = () => {
    const trace = asked.getStore();
    if (trace !== undefined) trace.fault = fired;
    reached?.();
  };
  return {
    id,
    rule,
    does,
    chance,
    seed,
    createLimiter: createLimiter?.(reach),
    around({ mock, handle }) {
      const broken = around?.({ mock, handle, reached: reach }) ?? handle;
      const meets = meeting(chance, seed);
      return async (request, trace = new Trace()) => {
        if (!meets(request)) return handle(request, trace);
        const reply = await asked.run(trace, () => broken(request, trace));
        // What the right deployment would have said of the request is not what happened.
        if (trace.fault === fired) Object.assign(trace, { refused: 'fault', why: fired.why });
        return reply;
      };
    },
  };
}

/**
 * Decides which requests meet an intermittent defect: by the seed, and by how many equal requests came before. So a run of some
 * scripts meets it in the same requests as a whole run, and a whole run finds whatever such a run finds.
 */
function meeting(chance: number, seed: number): (request: ApiRequest) => boolean {
  if (chance === 1) return () => true;
  const counts = new Map<string, number>();
  return ({ method, url, headers }) => {
    const request = `${method} ${url} ${headers['x-api-key']}`;
    const count = counts.get(request) ?? 0;
    counts.set(request, count + 1);
    return Number.parseInt(hash('md5', `${seed} ${request} ${count}`).slice(0, 8), 16) / 2 ** 32 < chance;
  };
}
