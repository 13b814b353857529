import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMock, type Mock } from '../../mock/index.ts';
import { parseTarget, type TargetInput } from '../../spec/files/target.ts';
import { onLoopback } from '../../spec/proof/processes.ts';
import { examineK6, examinePort, examineTarget } from './doctor.ts';

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
    state: 'optional',
    text: expect.stringMatching(/only partnerkit load needs it.*partnerkit load install-k6/),
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

it('finds nothing wrong when the deployment replies, is as described, and the clocks agree', async () => {
  const findings = await examineTarget(parseTarget({ ...packaged, baseUrl: url }, {}, 'target'));
  expect(findings.map(({ state, what }) => [state, what])).toEqual([
    ['ok', 'clock'],
    ['ok', 'target'],
  ]);
});

it('names a key and a record that the deployment does not know, and a clock that is off', async () => {
  const [acme, ...others] = packaged.tenants;
  if (acme === undefined) throw new Error('a tenant is packaged');
  const wrong = {
    ...acme,
    keys: acme.keys.map((key) => (key.name === 'links' ? { ...key, secret: 'no-such-key' } : key)),
    conversations: { ...acme.conversations, closed: 'c0000002-0000-4000-8000-00000000dead' },
  };
  const target = parseTarget({ ...packaged, baseUrl: url, tenants: [wrong, ...others] }, {}, 'target');
  const findings = await examineTarget(target, () => Date.now() + 60_000);
  expect(findings.map(({ state, what, text }) => [state, what, text.slice(0, 24)])).toEqual([
    ['to do', 'clock', expect.stringMatching(/^(59|60|61) s apart/)],
    ['to do', 'target', 'tenants[0].keys[12].secr'],
    ['to do', 'target', 'tenants[0].conversations'],
  ]);
});

it('says that a deployment cannot be reached, once', async () => {
  const findings = await examineTarget(parseTarget({ ...packaged, baseUrl: 'http://127.0.0.1:1' }, {}, 'target'));
  expect(findings).toMatchObject([{ state: 'to do', what: 'target' }]);
});
