import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseTarget } from '../../../spec/files/target.ts';
import { type HostileServer, hostileServer, reply } from '../../../spec/proof/hostile/hostile-server.ts';
import { memoryJournal, nodeEnvironment, type Report, runConformance } from '../../index.ts';

const described = parse(readFileSync(new URL('../../../fixtures/mock.target.yaml', import.meta.url), 'utf8'));
const secrets: string[] = described.tenants.flatMap(({ keys }: { keys: { secret: string }[] }) =>
  keys.map(({ secret }) => secret),
);
const only = ['upload/put-accepts-bytes', 'upload/put-content-type-must-match', 'upload/target-url'];

let storage: HostileServer;
let third: HostileServer;
/** Restored after each test. */
let seen = 0;
beforeAll(async () => {
  third = await hostileServer((socket) => void socket.write(reply(200, '')));
  storage = await hostileServer((socket, { path }) => {
    const moved = path.startsWith('/moved');
    socket.write(moved ? reply(307, '', `location: ${third.url}${path}`) : reply(200, ''));
  });
});
afterAll(() => Promise.all([storage[Symbol.asyncDispose](), third[Symbol.asyncDispose]()]));
beforeEach(() => {
  seen = storage.received.length;
});

/** Runs the upload scripts against a deployment with this upload URL. */
async function runWith(uploadUrl: unknown): Promise<Report> {
  await using deployment = await hostileServer((socket, { method }) => {
    const started = { fileKey: 'key', uploadUrl, uploadUrlExpiresAt: '2030-01-01T00:00:00Z' };
    socket.write(method === 'POST' ? reply(201, JSON.stringify(started)) : reply(200, '{"labels":[]}'));
  });
  const real = nodeEnvironment();
  const environment = { ...real, sleep: (ms: number) => real.sleep(ms / 100) };
  const target = parseTarget({ ...described, baseUrl: deployment.url }, {}, 'target');
  try {
    return await runConformance(target, {
      environment,
      journal: memoryJournal(),
      timeout: 500,
      only,
      preflight: false,
    });
  } finally {
    environment.close();
  }
}

/** No request to another host contained a key. */
function expectNoKey(): void {
  const all = [...storage.received, ...third.received].map(({ head }) => head).join('\n');
  expect(all).not.toMatch(/x-api-key|authorization|cookie/i);
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
}

it.each(['/put?X-Amz-Signature=0123456789abcdef', '/moved?X-Amz-Signature=0123456789abcdef'])(
  'an upload to another host takes no key along, and follows it nowhere: %s',
  async (path) => {
    const { outcomes } = await runWith(storage.url + path);
    expect(storage.received.length).toBeGreaterThan(seen);
    expect(third.received).toEqual([]);
    expectNoKey();
    expect(outcomes.error).toBe(0);
  },
);

it('an upload URL that contains a key gets no request', async () => {
  for (const secret of secrets) {
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      const { rows, outcomes } = await runWith(`${storage.url}/put?k=${form}`);
      expect(storage.received.length).toBe(seen);
      expect(outcomes.error).toBe(0);
      expect(rows.find(({ id }) => id === 'upload/put-accepts-bytes')?.outcome).not.toBe('pass');
    }
    if (secret === secrets[2]) break;
  }
});

it.each([
  'file:///etc/passwd',
  'ftp://127.0.0.1/x',
  'data:text/plain,x',
  'javascript:alert(1)',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'unix:/var/run/docker.sock',
  '//127.0.0.1/x',
  '/v1/labels',
  'http://',
  'http://[',
  'http://127.0.0.1:99999/',
  '',
  42,
  null,
  {},
  ['http://127.0.0.1/'],
])('what is no URL for bytes is sent none: %j', async (uploadUrl) => {
  const { rows, outcomes } = await runWith(uploadUrl);
  expect(outcomes.error).toBe(0);
  expect(storage.received.length).toBe(seen);
  expect(rows.find(({ id }) => id === 'upload/put-accepts-bytes')?.outcome).not.toBe('pass');
});

it.each([
  'http://169.254.169.254/latest/meta-data/iam/security-credentials/',
  'http://2852039166/latest/api/token',
  'http://0xa9fea9fe/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://0.0.0.0/',
  'http://user:password@169.254.169.254/',
])('bytes are sent to no address of the cloud’s or the machine’s own: %s', async (uploadUrl) => {
  const { rows, outcomes } = await runWith(uploadUrl);
  expect(outcomes.error).toBe(0);
  expect(rows.find(({ id }) => id === 'upload/put-accepts-bytes')?.outcome).not.toBe('pass');
  expect(storage.received.length).toBe(seen);
});
