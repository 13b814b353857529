import { lookup as resolve } from 'node:dns/promises';
import { connect, isIPv4, isIPv6 } from 'node:net';

/**
 * What to say if another program answers at an address that `localhost` has here and the mock does not listen on: clients that
 * say `localhost` may reach that program instead.
 * @param own the address and port on which the mock listens
 */
export async function otherAtLocalhost(
  own: { readonly address: string; readonly port: number },
  lookup: (name: string, options: { all: true }) => Promise<readonly { address: string }[]> = resolve,
): Promise<string | undefined> {
  const isOwn = (address: string) =>
    own.address === address || own.address === '::' || (own.address === '0.0.0.0' && isIPv4(address));
  for (const { address } of await lookup('localhost', { all: true })) {
    if (isOwn(address) || !(await answers(address, own.port))) continue;
    const other = `${isIPv6(address) ? `[${address}]` : address}:${own.port}`;
    return `another program answers at ${other}, and \`localhost\` may lead to it: use the address above, or give another --port`;
  }
  return undefined;
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 });
    const end = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false));
  });
}
