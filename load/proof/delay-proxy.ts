import { connect, createServer, type Socket } from 'node:net';
import { onLoopback } from '../../spec/proof/on-loopback.ts';
import { seededRandom } from '../../spec/random.ts';

interface DelayProxy extends AsyncDisposable {
  readonly url: string;
}

/** The delay of one chunk, in milliseconds. */
export type Delay = () => number;

/** A TCP proxy that delays every chunk in both directions and keeps their order, as a network does. */
export async function delayProxy(target: string, delay: Delay): Promise<DelayProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .setNoDelay(true)
        .on('close', () => sockets.delete(socket))
        .on('error', () => socket.destroy());
    }
    forward(client, upstream, delay);
    forward(upstream, client, delay);
  });
  const url = await onLoopback(server);
  return {
    url,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(from: Socket, to: Socket, delay: Delay): void {
  let last = 0;
  const later = (act: () => void) => {
    last = Math.max(last, performance.now() + delay());
    setTimeout(() => !to.destroyed && act(), last - performance.now());
  };
  from.on('data', (chunk) => later(() => to.write(chunk)));
  from.on('end', () => later(() => to.end()));
}

/** Half a round trip, plus up to `jitterMs` at random. The same seed gives the same delays. */
export function jittered(roundTripMs: number, jitterMs: number, seed = 1): Delay {
  const random = seededRandom(seed);
  return () => roundTripMs / 2 + random() * jitterMs;
}
