import { attacks } from './attacks.ts';
import { type Attack, hostileServer, reply } from './hostile-server.ts';

/** Where one attack waits: at once, or after one request that was answered well enough to go on. */
interface Attacker {
  readonly name: string;
  readonly fromTheStart: string;
  readonly turning: string;
}

/** What this process says first, and then to each message: where all listen, and what came to the host nobody should follow to. */
export interface Attackers {
  readonly attackers: readonly Attacker[];
  readonly followedElsewhere: readonly string[];
}

/** A process of its own, so that the memory of the attackers is not taken for that of those attacked. */
const elsewhere = await hostileServer((socket) => void socket.write(reply(200, '{}')));

const turning = (attack: Attack): Attack => {
  let count = 0;
  return (socket, request, own) => {
    if (++count > 1) attack(socket, request, own);
    else socket.write(reply(200, '{"labels":[]}'));
  };
};

const attackers: Attacker[] = await Promise.all(
  Object.entries(attacks(elsewhere.url)).map(async ([name, attack]) => ({
    name,
    fromTheStart: (await hostileServer(attack)).url,
    turning: (await hostileServer(turning(attack))).url,
  })),
);

const say = () => {
  const all: Attackers = { attackers, followedElsewhere: elsewhere.received.map(({ head }) => head) };
  process.send?.(all);
};
process.on('message', say);
process.on('disconnect', () => process.exit());
say();
