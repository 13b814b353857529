import type { Ask } from '../client/ask.ts';
import { caseOf, reasonsOf } from '../contract/case.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import { blockadeWaits, blockedAfter } from '../numbers.ts';
import type { Deployment } from '../target/deployment.ts';

export type Blockade = ReturnType<typeof createBlockade>;

/**
 * Notices that everything which was served before is refused or lost, as by a firewall that blocks the address, or in an outage that does not
 * end. Then it asks for what was served, with other keys, for a minute; after that the run is blocked.
 */
export function createBlockade(
  deployment: Deployment,
  send: (ask: Ask) => Promise<Exchange>,
  sleep: (milliseconds: number) => Promise<void>,
) {
  const served = new Set<string>();
  /** A read that was served, by its key. */
  const reads = new Map<string | null, Ask>();
  /** Requests of kinds that were served before, since the last that was served. */
  let failing: Exchange[] = [];
  let asking: Promise<void> | null = null;
  let why: string | null = null;

  const ask = async () => {
    const [first] = failing;
    const all = [...reads.values()];
    for (const [turn, wait] of blockadeWaits.entries()) {
      await sleep(wait);
      const again = all[turn % all.length];
      if (again !== undefined && succeeded(await send(again))) {
        failing = [];
        return;
      }
    }
    const { status, failure } = failing.at(-1) ?? {};
    why = `blocked since request ${first?.n}: ${status ?? failure} to everything that was served before, for a minute and with ${all.length > 1 ? 'other keys' : 'the only key'}, too`;
  };

  return {
    /** Why the run cannot go on; null while it can. */
    blocked: () => why,
    /** Resolves when nothing is in doubt. */
    open: async (): Promise<void> => asking ?? undefined,
    saw(asked: Ask, exchange: Exchange) {
      const about = caseOf(exchange, deployment);
      if (about === null || about.isElsewhere || !exchange.paced || reasonsOf(about).length > 0) return;
      const kind = `${exchange.operation} ${exchange.key}`;
      if (succeeded(exchange)) {
        served.add(kind);
        const { step: _, trial: __, barrier: ___, ...plain } = asked;
        if (about.isRead) reads.set(exchange.key, plain);
        failing = [];
      } else if (served.has(kind)) {
        failing.push(exchange);
        const kinds = new Set(failing.map(({ operation, key }) => `${operation} ${key}`));
        if (failing.length >= blockedAfter && kinds.size > 2 && reads.size > 0 && why === null)
          asking ??= ask().finally(() => {
            asking = null;
          });
      }
    },
  };
}
