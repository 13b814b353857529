import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createMock, type ListeningMock, type Mock } from '../../mock/index.ts';
import { run } from '../main.ts';
import { unpackCollection } from './export.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-export-'));
let mock: Mock;
let listening: ListeningMock;
beforeAll(async () => {
  mock = await createMock();
  listening = await mock.listen({ port: 0, control: { token: 'a-token-of-tests' } });
});
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});

async function exported(...words: string[]) {
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const code = await run(['export', ...words, '--control-token', 'a-token-of-tests']);
  const [out, err] = [stdout, stderr].map(({ mock: { calls } }) => calls.map(([text]) => text).join(''));
  stdout.mockRestore();
  stderr.mockRestore();
  return { code, out: out ?? '', err: err ?? '' };
}

it('prints the requests of a running mock', async () => {
  const { code, out } = await exported('postman', '--mock', listening.url, '--tenant', 'globex');
  expect(code).toBe(0);
  expect(JSON.parse(out).variable).toContainEqual({ key: 'baseUrl', value: listening.url });
});

it('does not overwrite the folder of a Bruno collection', async () => {
  const out = join(folder, 'bruno');
  const words = ['bruno', '--mock', listening.url, '--out', out];
  expect(await exported(...words)).toMatchObject({ code: 0 });
  expect(readFileSync(join(out, 'rate limit/throttled.bru'), 'utf8')).toContain('res.status: eq 429');
  expect(await exported(...words)).toMatchObject({ code: 2, err: expect.stringContaining('exists already') });
  expect(await exported(...words, '--force')).toMatchObject({ code: 0 });
});

it('says what is missing', async () => {
  expect(await exported('bruno', '--mock', listening.url)).toMatchObject({
    code: 2,
    err: expect.stringContaining('--out FOLDER'),
  });
  expect(await exported('http', '--mock', 'http://127.0.0.1:9')).toMatchObject({
    code: 2,
    err: expect.stringContaining('no mock answers at http://127.0.0.1:9'),
  });
  expect(await exported('http', '--mock', listening.url, '--tenant', 'nobody')).toMatchObject({
    code: 2,
    err: expect.stringContaining('nobody'),
  });
});

it.each(['../outside.bru', '/etc/outside.bru', 'a/b/c.bru', 'outside.sh'])('does not write %s', (path) => {
  const inside = join(folder, 'inside');
  expect(() => unpackCollection(zipSync({ [path]: new Uint8Array() }), inside)).toThrow('the collection has a file');
  expect(existsSync(join(folder, 'outside.bru'))).toBe(false);
});
