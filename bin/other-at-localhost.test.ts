import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { otherAtLocalhost } from './other-at-localhost.ts';

/** What `localhost` is on most machines. */
const both = async () => [{ address: '::1' }, { address: '127.0.0.1' }];

/** A program that listens at an address. */
async function program(host: string) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

const hasIPv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));

it.runIf(hasIPv6).each(['127.0.0.1', '0.0.0.0'])('names a program at ::1 when the mock is at %s', async (address) => {
  await using other = await program('::1');
  expect(await otherAtLocalhost({ address, port: other.port }, both)).toBe(
    `another program answers at [::1]:${other.port}, and \`localhost\` may lead to it: use the address above, or give another --port`,
  );
});

it.each(['::1', '192.0.2.1'])('names a program at 127.0.0.1 when the mock is at %s', async (address) => {
  await using other = await program('127.0.0.1');
  expect(await otherAtLocalhost({ address, port: other.port }, both)).toContain(`at 127.0.0.1:${other.port}`);
});

it.each(['127.0.0.1', '0.0.0.0', '::'])('says nothing of the mock itself at %s', async (address) => {
  await using mock = await program('127.0.0.1');
  expect(await otherAtLocalhost({ address, port: mock.port }, both)).toBeUndefined();
});

it.runIf(hasIPv6)('says nothing of an address that localhost does not have', async () => {
  await using other = await program('::1');
  const own = { address: '127.0.0.1', port: other.port };
  expect(await otherAtLocalhost(own, async () => [{ address: '127.0.0.1' }])).toBeUndefined();
});
