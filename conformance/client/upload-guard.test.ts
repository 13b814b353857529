import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeEnvironment } from './node-environment.ts';

const requests: string[] = [];
const server = createServer((request, response) => {
  requests.push(request.url ?? '');
  response.end();
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, 'localhost', resolve)));
afterAll(() => void server.close());

it.each(['127.0.0.1', 'localhost', '127.1', '2130706433', '0x7f.0.0.1', '[::1]', '[::ffff:127.0.0.1]'])(
  'http://%s is not reached for a deployment abroad, however it is written',
  async (host) => {
    const environment = nodeEnvironment();
    const url = `http://${host}:${(server.address() as AddressInfo).port}/`;
    const sent = environment.send(
      { method: 'PUT', url, headers: {}, body: null },
      { timeoutMilliseconds: 5_000, namedBy: 'http://93.184.216.34' },
    );
    await expect(sent).rejects.toMatchObject({
      problem: 'unusable',
      message: expect.stringMatching(
        /^this deployment may not send uploads to .*, so nothing is sent to this address$/,
      ),
    });
    environment.close();
    expect(requests).toEqual([]);
  },
);

it('a deployment on this machine may give upload URLs with host names', async () => {
  const environment = nodeEnvironment();
  const { port } = server.address() as AddressInfo;
  const reply = await environment.send(
    { method: 'PUT', url: `http://localhost:${port}/ours`, headers: {}, body: null },
    { timeoutMilliseconds: 5_000, namedBy: 'http://127.0.0.1:4010' },
  );
  environment.close();
  expect([reply.status, requests]).toEqual([200, ['/ours']]);
});
