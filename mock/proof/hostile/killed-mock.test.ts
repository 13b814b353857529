import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tally } from '../../../spec/proof/tally/tally.ts';
import { acme } from '../acme.ts';

const root = resolve(import.meta.dirname, '../../..');
let folder: string;
const running = new Set<ChildProcess>();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'killed-mock-'));
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** `partnerkit mock`, as people start it, with temporary files of its own. */
async function start(...flags: string[]) {
  const child = spawn(process.execPath, ['bin/partnerkit.ts', 'mock', '--quiet', ...flags], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  running.add(child);
  const [address] = await once(child.stdout, 'data');
  const end = async (signal: 'SIGINT' | 'SIGKILL') => {
    child.kill(signal);
    const [code] = await once(child, 'exit');
    running.delete(child);
    return code;
  };
  return { url: String(address).trim(), end };
}

async function upload(url: string, text: string): Promise<string> {
  const headers = { 'x-api-key': acme.full, 'content-type': 'application/json' };
  const body = JSON.stringify({ contentType: 'text/plain' });
  const started = await fetch(`${url}/v1/site/${acme.site}/file/upload-url`, { method: 'POST', headers, body });
  const { uploadUrl } = await started.json();
  expect(await put(uploadUrl, text)).toBe(200);
  return uploadUrl;
}

const put = async (uploadUrl: string, body: string) =>
  (await fetch(uploadUrl, { method: 'PUT', body, headers: { 'content-type': 'text/plain' } })).status;

it('temporary files are removed when the mock ends, or when the next one starts if it was killed', async () => {
  const one = await start('--port', '0');
  await upload(one.url, 'bytes');
  expect(readdirSync(folder)).toHaveLength(1);
  await one.end('SIGKILL');
  const left = readdirSync(folder);
  expect(left).toHaveLength(1);

  const two = await start('--port', '0');
  await expect.poll(() => readdirSync(folder)).toEqual([]);
  await upload(two.url, 'bytes');
  expect(readdirSync(folder)).toHaveLength(1);
  expect(await two.end('SIGINT')).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
  tally({ inputs: 2, faults: 1 });
});

it('an upload URL is valid for five minutes, also after a restart of a mock with a state file', async () => {
  const state = join(folder, 'state.json');
  const one = await start('--port', '0', '--state', state);
  const uploadUrl = await upload(one.url, 'one');
  expect((await fetch(`${one.url}/_mock/state/save`, { method: 'POST' })).status).toBe(204);
  await one.end('SIGKILL');
  const two = await start('--port', new URL(one.url).port, '--state', state);
  expect(await put(uploadUrl, 'two')).toBe(200);
  const forged = uploadUrl.replace(/Signature=\w/, (start) => (start.endsWith('0') ? 'Signature=1' : 'Signature=0'));
  expect(await put(forged, 'three')).toBe(403);
  const { files } = await (await fetch(`${two.url}/_mock/files`)).json();
  expect(await (await fetch(`${two.url}/_mock/files/${files[0].fileKey}/content`)).text()).toBe('two');
  await two.end('SIGINT');
  expect(readdirSync(folder).sort()).toEqual([
    'state.json',
    'state.json.files',
    'state.json.lock',
    'state.json.secret',
  ]);
  tally({ inputs: 3, faults: 1 });
});
