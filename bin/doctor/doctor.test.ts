import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMock, type Mock } from '../../mock/index.ts';
import { parseTarget, type TargetInput } from '../../spec/files/target.ts';
import { onLoopback } from '../../spec/proof/processes.ts';
import { examineK6, examinePort } from './examine-machine.ts';
import { examineTarget } from './examine-target.ts';

const packaged: TargetInput = parse(readFileSync(new URL('../../fixtures/mock.target.yaml', import.meta.url), 'utf8'));
let mock: Mock;
let url: string;
beforeAll(async () => {
  mock = await createMock();
  ({ url } = await mock.listen({ port: 0 }));
});
afterAll(() => mock.close());

it('says how to get k6', async () => {
  const found = await examineK6({ PATH: '/nowhere', HOME: '/nowhere' }, '/nowhere');
  expect(found).toMatchObject({
    state: 'to do',
    text: expect.stringMatching(/load cannot run.*partnerkit load install-k6/),
  });
});

it('knows a mock of ours on the port', async () => {
  expect(await examinePort(Number(new URL(url).port))).toMatchObject({
    state: 'ok',
    text: `a mock of partnerkit runs: ${url}`,
  });
});

it('distinguishes a taken port from a free one', async () => {
  const server = createServer((_, response) => response.writeHead(404).end());
  const port = Number(new URL(await onLoopback(server)).port);
  expect(await examinePort(port)).toMatchObject({ state: 'to do', text: expect.stringContaining('is taken') });
  await new Promise((resolve) => server.close(resolve));
  expect((await examinePort(port)).state).toBe('ok');
});

it('finds nothing wrong when the deployment replies, every key is as declared and the clocks agree', async () => {
  const findings = await examineTarget(parseTarget({ ...packaged, baseUrl: url }, {}, 'target'));
  expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
  expect(findings.map(({ what }) => what)).toEqual(expect.arrayContaining(['target', 'clock', 'key acme/revoked']));
});

it('names a key that is refused, a revoked one that is not, and a clock that is off', async () => {
  const { full, revoked } = Object.fromEntries((packaged.tenants[0]?.keys ?? []).map((key) => [key.name, key]));
  const keys = [
    { ...full, name: 'wrong', secret: 'no-such-key' },
    { ...full, name: 'ended', revoked: true },
    { ...revoked, name: 'alive', revoked: false },
  ];
  const target = parseTarget({ baseUrl: url, tenants: [{ name: 'acme', keys }] }, {}, 'target');
  const findings = await examineTarget(target, () => Date.now() + 60_000);
  expect(findings.filter(({ state }) => state === 'to do').map(({ what }) => what)).toEqual([
    'clock',
    'key acme/wrong',
    'key acme/ended',
    'key acme/alive',
  ]);
});

it('says that a deployment cannot be reached, once', async () => {
  const findings = await examineTarget(parseTarget({ ...packaged, baseUrl: 'http://127.0.0.1:1' }, {}, 'target'));
  expect(findings).toMatchObject([{ state: 'to do', what: 'target' }]);
});
