import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMock, type Mock } from '../../mock/index.ts';
import { saidBy } from '../../spec/proof/processes.ts';
import { program } from '../release/program.ts';

let mock: Mock;
let url = '';
beforeAll(async () => {
  mock = await createMock();
  ({ url } = await mock.listen({ port: 0, control: { token: 'a-token-of-tests' } }));
});
afterAll(() => mock.close());

const started = (...args: string[]) =>
  spawn(process.execPath, [program, 'requests', '--mock', url, '--control-token', 'a-token-of-tests', ...args]);
/** Asks with a key, and without one. */
async function askTwice(address: string) {
  await fetch(`${address}/v1/labels`, { headers: { 'x-api-key': 'acmefull-fake-secret-0000000000000001' } });
  await fetch(`${address}/v1/labels`);
}

it('prints what the mock has answered, with the reason and the rule of a refusal', async () => {
  await askTwice(url);
  const { code, said } = await saidBy(started());
  expect(code).toBe(0);
  expect(said).toMatch(/ 200 GET {4}\/v1\/labels {2}acme\/full .*\n.* 403 GET .* \(auth\/no-key-is-403\)\n$/);
  expect((await saidBy(started('--status', '4xx'))).said).not.toContain(' 200 ');
});

it('--follow prints requests as they arrive, and ends with the mock', async () => {
  const own = await createMock();
  const { url: address } = await own.listen({ port: 0 });
  const child = spawn(process.execPath, [
    program,
    'requests',
    '--mock',
    address,
    '--follow',
    '--status',
    '403',
    '--json',
  ]);
  const line = once(createInterface(child.stdout), 'line');
  const timer = setInterval(() => askTwice(address).catch(() => undefined), 200);
  expect(JSON.parse((await line)[0])).toMatchObject({ status: 403, rule: 'auth/no-key-is-403' });
  clearInterval(timer);
  const said = saidBy(child);
  await own.close();
  expect(await said).toMatchObject({ code: 0, said: expect.stringContaining('The mock has ended.') });
});

it('says that there is no mock, or that it refuses', async () => {
  const { code, said } = await saidBy(spawn(process.execPath, [program, 'requests', '--follow', '--mock', url]));
  expect({ code, said }).toEqual({ code: 2, said: expect.stringContaining('401') });
  const nobody = spawn(process.execPath, [program, 'requests', '--follow', '--mock', 'http://127.0.0.1:9']);
  expect(await saidBy(nobody)).toMatchObject({ code: 2, said: expect.stringContaining('no mock answers') });
});
