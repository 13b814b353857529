import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Measurement } from '../report/measurement.ts';
import { summaryOf } from '../report/summary.ts';
import { setScene } from '../server/scene.ts';

const client = fileURLToPath(new URL('../traffic/paced-client.ts', import.meta.url));
const listeners = 5_000;
/** Every listener gets an event for each request, so the number of events per second is this times the listeners. */
const perSecond = 10;

/** The median time of a request, at ten per second, without readers of the live journal and with thousands. */
export async function manyListeners(rounds: number): Promise<Measurement> {
  const scene = await setScene('context');
  try {
    const { url, method, headers } = scene.shot(scene.mock, 1);
    const median = async (): Promise<number> => {
      const args = [client, url, method, JSON.stringify(headers), String(perSecond), '5'];
      return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout).p50;
    };
    const pairs = [];
    for (let i = 0; i < rounds; i++) {
      const alone = await median();
      const following = await follow(new URL(url), listeners);
      pairs.push({ alone, followed: await median() });
      for (const socket of following) socket.destroy();
    }
    const alone = summaryOf(pairs.map((pair) => pair.alone)).median;
    return {
      goal: 'listeners',
      figure: summaryOf(pairs.map(({ followed }) => followed)),
      unit: 'ms',
      detail: `${alone.toFixed(2)} ms with none, at ${perSecond} requests a second, of which each is told to all`,
      reason: `${perSecond * listeners} events a second have to be read on the same cores`,
    };
  } finally {
    await scene.stop();
  }
}

/** Opens this many connections to the live journal. Their data is ignored. */
async function follow({ hostname, port }: URL, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = Array.from({ length: 100 }, () => connect(Number(port), hostname));
    for (const socket of some) socket.write(`GET /_mock/journal/stream HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`);
    await Promise.all(some.map((socket) => once(socket, 'data')));
    for (const socket of some) sockets.push(socket.resume());
  }
  return sockets;
}
