import { connect, createServer, type Socket } from 'node:net';
import { onLoopback } from '../../spec/proof/processes.ts';
import { seededRandom } from '../../spec/random.ts';

interface ResetProxy extends AsyncDisposable {
  readonly url: string;
  /** How many replies it has lost. */
  readonly lost: () => number;
}

/** A TCP proxy that resets the client's connection in place of some replies: the server has decided, and the client does not know how. */
export async function resetProxy(target: string, share: number, seed = 1): Promise<ResetProxy> {
  const { hostname, port } = new URL(target);
  const random = seededRandom(seed);
  const sockets = new Set<Socket>();
  let lost = 0;
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .setNoDelay(true)
        .on('close', () => sockets.delete(socket))
        .on('error', () => socket.destroy());
    }
    client.pipe(upstream);
    upstream.on('end', () => client.end());
    upstream.on('data', (chunk) => {
      if (random() >= share) return client.write(chunk);
      lost += 1;
      client.resetAndDestroy();
      upstream.destroy();
    });
  });
  return {
    url: await onLoopback(server),
    lost: () => lost,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
