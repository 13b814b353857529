import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeEnvironment } from './node-environment.ts';
import { mayReach } from './upload-destination.ts';

const abroad = ['93.184.216.34', '2606:2800:21f::1'];
const [here, lan] = [['127.0.0.1'], ['10.1.2.3']];

it.each([
  ['52.216.1.1', true, true, true],
  ['2600:1fa0::1', true, true, true],
  ['127.0.0.1', false, true, true],
  ['::1', false, true, true],
  ['192.168.1.10', false, true, true],
  ['fd12:3456::1', false, true, true],
  ['::ffff:10.0.0.1', false, true, true],
  ['169.254.169.254', false, false, false],
  ['::ffff:169.254.169.254', false, false, false],
  ['fe80::1', false, false, false],
  ['fd00:ec2::254', false, false, false],
  ['0.0.0.0', false, false, false],
  ['224.0.0.1', false, false, false],
])('%s: from abroad %s, from this machine %s, from its network %s', (address, ...expected) => {
  expect([abroad, here, lan].map((deployment) => mayReach(address, deployment))).toEqual(expected);
});

it('a deployment may always name itself', () => {
  expect(mayReach('169.254.10.1', ['169.254.10.1'])).toBe(true);
});

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
      message: expect.stringMatching(/is not where this deployment may send us: nothing is sent there$/),
    });
    environment.close();
    expect(requests).toEqual([]);
  },
);

it('a name is reached for a deployment that is on this machine itself', async () => {
  const environment = nodeEnvironment();
  const { port } = server.address() as AddressInfo;
  const reply = await environment.send(
    { method: 'PUT', url: `http://localhost:${port}/ours`, headers: {}, body: null },
    { timeoutMilliseconds: 5_000, namedBy: 'http://127.0.0.1:4010' },
  );
  environment.close();
  expect([reply.status, requests]).toEqual([200, ['/ours']]);
});
