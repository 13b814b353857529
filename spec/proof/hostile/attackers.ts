import { attacks } from './attacks.ts';
import { type Attack, hostileServer, reply } from './hostile-server.ts';

/** Where one attack waits: at once, or after one request that was answered well enough to go on. */
interface Attacker {
  readonly name: string;
  readonly fromTheStart: string;
  readonly turning: string;
}

/** The messages of this process: the ports of all servers, and the requests to the host that no client should follow to. */
export interface Attackers {
  readonly attackers: readonly Attacker[];
  readonly followedElsewhere: readonly string[];
}

/** The attackers have their own process, so that their memory is not counted for the programs under attack. */
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
