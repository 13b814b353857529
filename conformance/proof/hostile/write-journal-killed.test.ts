import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMock, type Mock } from '../../../mock/index.ts';
import { readYamlFile } from '../../../spec/files/yaml-file.ts';
import { onLoopback } from '../../../spec/proof/on-loopback.ts';
import { tally } from '../../../spec/proof/tally/tally.ts';

const root = join(import.meta.dirname, '../../..');
const holder = { conversation: 'c0000001-0000-4000-8000-000000000001' };
const folder = mkdtempSync(join(tmpdir(), 'partnerkit-killed-'));
const targetFile = join(folder, 'target.json');
let mock: Mock;
/** A proxy between the command and the mock, which may kill the command. */
let onWrite: (write: number, forwarded: boolean) => void = () => undefined;
let writes = 0;

const server = createServer(async (request, response) => {
  const written = request.method === 'GET' ? 0 : ++writes;
  if (written > 0) onWrite(written, false);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = { ...request.headers } as Record<string, string>;
  const reply = await mock.handle({
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    origin: 'http://127.0.0.1',
    headers,
    body:
      chunks.length === 0
        ? null
        : (async function* () {
            yield* chunks;
          })(),
  });
  if (written > 0) onWrite(written, true);
  response.writeHead(reply.status, reply.headers).end(reply.body);
});

beforeAll(async () => {
  mock = await createMock();
  const baseUrl = await onLoopback(server);
  const described = readYamlFile(join(root, 'fixtures/mock.target.yaml')) as object;
  writeFileSync(targetFile, JSON.stringify({ ...described, baseUrl }));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await mock.close();
  rmSync(folder, { recursive: true });
});

function command(journal: string, ...args: string[]): { readonly child: ChildProcess; readonly said: Promise<string> } {
  const all = ['bin/partnerkit.ts', 'conformance', ...args, '--target', targetFile, '--journal', journal];
  const child = spawn(process.execPath, all, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  return { child, said: once(child, 'close').then(() => text) };
}

it.each([
  { write: 2, forwarded: true, when: 'after the deployment has done the second write' },
  { write: 3, forwarded: false, when: 'before the deployment sees the third write' },
])('conformance cleanup takes the label off after kill -9 $when', async ({ write, forwarded }) => {
  const before = mock.labelsOf('acme', holder).map(({ name }) => name);
  const journal = join(folder, `journal-${write}-${forwarded}`);
  writes = 0;
  const { child, said } = command(journal, 'run', '--only', 'labels/membership-is-a-set');
  let killed = false;
  onWrite = (at, done) => {
    if (at === write && done === forwarded) killed = child.kill('SIGKILL');
  };
  await said;
  onWrite = () => undefined;
  expect([killed, child.signalCode]).toEqual([true, 'SIGKILL']);

  const cleaned = await command(journal, 'cleanup').said;
  const after = mock.labelsOf('acme', holder).map(({ name }) => name);
  tally({ inputs: 1, faults: 1, lost: Number(String(after) !== String(before)) });
  expect(cleaned).not.toContain('not settled');
  expect(after).toEqual(before);
  // A run that was killed during the preflight has written nothing.
  expect(existsSync(journal) ? readdirSync(journal) : []).toEqual([]);
});
