import { connect, createServer, type Socket } from 'node:net';
import { onLoopback } from '../../spec/proof/on-loopback.ts';
import { seededRandom } from '../../spec/random.ts';

interface Proxy extends AsyncDisposable {
  readonly url: string;
}

/** A TCP proxy. @param pass moves what one side sends to the other; `back` says that the server sends */
async function tcpProxy(target: string, pass: (from: Socket, to: Socket, back: boolean) => void): Promise<Proxy> {
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
    pass(client, upstream, false);
    pass(upstream, client, true);
  });
  return {
    url: await onLoopback(server),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Milliseconds for one chunk. */
export type Delay = () => number;

/** Delays every chunk in both directions and keeps their order, as a network does. */
export const delayProxy = (target: string, delay: Delay): Promise<Proxy> =>
  tcpProxy(target, (from, to) => {
    let last = 0;
    const acts: (() => void)[] = [];
    const later = (act: () => void) => {
      last = Math.max(last, performance.now() + delay());
      acts.push(act);
      // Timers that are due together may fire in another order.
      setTimeout(() => !to.destroyed && acts.shift()?.(), last - performance.now());
    };
    from.on('data', (chunk) => later(() => to.write(chunk))).on('end', () => later(() => to.end()));
  });

/** Half a round trip, plus up to `jitterMs` at random. The same seed gives the same delays. */
export function jittered(roundTripMs: number, jitterMs: number, seed = 1): Delay {
  const random = seededRandom(seed);
  return () => roundTripMs / 2 + random() * jitterMs;
}

/** Resets the client's connection in place of some replies: the server has decided, and the client does not know how. */
export async function resetProxy(
  target: string,
  share: number,
  seed = 1,
): Promise<Proxy & { readonly lost: () => number }> {
  const random = seededRandom(seed);
  let lost = 0;
  const proxy = await tcpProxy(target, (from, to, back) => {
    from.on('end', () => to.end());
    from.on('data', (chunk) => {
      if (!back || random() >= share) return to.write(chunk);
      lost += 1;
      to.resetAndDestroy();
      from.destroy();
    });
  });
  return { ...proxy, lost: () => lost };
}
