import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { attacks } from './attackers.ts';
import { type Attack, hostileServer, reply } from './hostile-server.ts';

/** The problems; empty if all went well. */
export type Harm = string[];

const atOnce = 4;
/** By how many megabytes the memory may grow, with that of the attackers. */
const mostGrown = 512;

async function within(seconds: number, what: string, work: Promise<Harm>): Promise<Harm> {
  const late = delay(seconds * 1000, [`${what} does not end within ${seconds} s`], { ref: false });
  return Promise.race([work, late]).catch((error) => [`${what}: ${error instanceof Error ? error.stack : error}`]);
}

/** Answers one request well enough to go on, and attacks from the second on. */
function turning(attack: Attack): Attack {
  let count = 0;
  return (socket, request, own) => {
    if (++count > 1) attack(socket, request, own);
    else socket.write(reply(200, '{"labels":[]}'));
  };
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
  await using elsewhere = await hostileServer((socket) => void socket.write(reply(200, '{}')));
  const memory = peakMemory();
  // Some at a time: most of it is waiting for time-outs.
  const harms = await pLimit(atOnce).map(Object.entries(attacks(elsewhere.url)), async ([name, attack]) => {
    await using server = await hostileServer(where === 'turning' ? turning(attack) : attack);
    return await within(20, name, work(server.url));
  });
  const harm = harms.flat();
  const grown = memory.end();
  if (grown > mostGrown) harm.push(`memory grew by ${grown} MB`);
  for (const { head } of elsewhere.received) harm.push(`followed elsewhere: ${head}`);
  if ('polluted' in {}) harm.push('a prototype is polluted');
  return harm;
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
