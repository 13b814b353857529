import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Attackers } from './attackers.ts';

/** The problems; empty if all went well. */
export type Harm = string[];

const atOnce = 8;

async function within(seconds: number, what: string, work: Promise<Harm>): Promise<Harm> {
  const late = delay(seconds * 1000, [`${what} does not end within ${seconds} s`], { ref: false });
  return Promise.race([work, late]).catch((error) => [`${what}: ${error instanceof Error ? error.stack : error}`]);
}

/**
 * Runs the work against every attacker.
 * @param where attackers that are hostile `fromTheStart`, or `turning` after one good reply
 * @returns what the work says of each, work that takes over 20 seconds, memory that grew, and requests that followed elsewhere
 */
export async function underAttack(
  where: 'fromTheStart' | 'turning',
  work: (url: string) => Promise<Harm>,
): Promise<Harm> {
  const process = fork(new URL('attackers.ts', import.meta.url));
  try {
    const [{ attackers }] = (await once(process, 'message')) as [Attackers];
    const memory = peakMemory();
    const harm: Harm = [];
    // Some at a time: most of it is waiting for time-outs.
    for (let i = 0; i < attackers.length; i += atOnce) {
      const some = attackers.slice(i, i + atOnce).map((attacker) => within(20, attacker.name, work(attacker[where])));
      harm.push(...(await Promise.all(some)).flat());
    }
    const grown = memory.end();
    if (grown > atOnce * 64) harm.push(`memory grew by ${grown} MB`);
    const answer = once(process, 'message');
    process.send('what came to the host elsewhere?');
    const [{ followedElsewhere }] = (await answer) as [Attackers];
    for (const head of followedElsewhere) harm.push(`followed elsewhere: ${head}`);
    if ('polluted' in {}) harm.push('a prototype is polluted');
    return harm;
  } finally {
    process.disconnect();
  }
}

/** Watches this process: by how many megabytes its memory has grown at the most since then. */
export function peakMemory(): { end(): number } {
  const before = process.memoryUsage.rss();
  let most = before;
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 10);
  return {
    end() {
      clearInterval(timer);
      look();
      return Math.round((most - before) / (1 << 20));
    },
  };
}
