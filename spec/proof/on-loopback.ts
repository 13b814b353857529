import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** Starts a server on a free port that only this machine reaches. @returns its address, without a slash at the end */
export async function onLoopback(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await onLoopback(server));
  server.close();
  await once(server, 'close');
  return Number(port);
}
