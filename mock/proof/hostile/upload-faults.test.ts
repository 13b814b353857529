import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createServedMock, type Mock } from '../../adapters/create-served-mock.ts';
import { diskFiles } from '../../storage/disk-files.ts';
import type { FileStore } from '../../storage/files.ts';
import { memoryFiles } from '../../storage/files.ts';
import { acme } from '../acme.ts';
import { rawConnection } from './raw-connection.ts';

const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

/** A store with room for so many bytes in all. */
function smallFiles(room: number): FileStore {
  const files = memoryFiles();
  let left = room;
  return {
    ...files,
    write(name, bytes) {
      const counted = async function* () {
        for await (const chunk of bytes) {
          left -= chunk.length;
          if (left < 0) throw full;
          yield chunk;
        }
      };
      return files.write(name, counted());
    },
  };
}

let parent: string;
let mock: Mock;
let url: string;
let port: number;
let errors: unknown[];
const stop: (() => unknown)[] = [];

async function serve(files: FileStore = diskFiles(parent)) {
  mock = await createServedMock({ rateLimit: false, files, onError: (error) => void errors.push(error) });
  stop.push(() => mock.close());
  ({ url, port } = await mock.listen({ port: 0 }));
}

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'hardening-uploads-'));
  errors = [];
  stop.push(() => rmSync(parent, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const each of stop.splice(0).reverse()) await each();
});

const headers = { 'x-api-key': acme.full, 'content-type': 'application/json' };
const post = (path: string, body: unknown) =>
  fetch(`${url}/v1/site/${acme.site}/${path}`, { method: 'POST', body: JSON.stringify(body), headers });

async function start() {
  const { fileKey, uploadUrl } = await (await post('file/upload-url', { contentType: 'text/plain' })).json();
  const put = (body: string | Uint8Array<ArrayBuffer>) =>
    fetch(uploadUrl, { method: 'PUT', body, headers: { 'content-type': 'text/plain' } });
  const { pathname, search, host } = new URL(uploadUrl);
  const head = (more: string) =>
    `PUT ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: text/plain\r\n${more}\r\n\r\n`;
  return { fileKey, put, head };
}
const register = async (fileKey: string) => (await post('file', { fileKey })).status;
const textOf = async (fileKey: string) => Buffer.from(await mock.files.bytes(fileKey)).toString();
/** Every file on disk, those of half an upload too. */
const onDisk = () => readdirSync(parent).flatMap((folder) => readdirSync(join(parent, folder)));

describe('an upload that is interrupted', () => {
  const breaks: [string, string, string, 'reset' | 'end'][] = [
    ['before its first byte', 'content-length: 1000', '', 'reset'],
    ['after some', 'content-length: 1000', 'half', 'reset'],
    ['one byte before its end', 'content-length: 1000', 'a'.repeat(999), 'reset'],
    ['by half', 'content-length: 1000', 'half', 'end'],
    ['within a chunk', 'transfer-encoding: chunked', '64\r\nhalf', 'reset'],
    ['between two chunks', 'transfer-encoding: chunked', '4\r\nhalf\r\n', 'reset'],
    ['before the last chunk', 'transfer-encoding: chunked', '4\r\nhalf\r\n', 'end'],
    ['by a chunk that lies', 'transfer-encoding: chunked', '4\r\nhalf\r\n2\r\nhalf\r\n0\r\n\r\n', 'end'],
    ['by a chunk without a size', 'transfer-encoding: chunked', '4\r\nhalf\r\nzz\r\nhalf', 'end'],
  ];

  it.each(breaks)('%s is never registered, and the earlier file stays', async (_, framing, part, how) => {
    await serve();
    const [fresh, stored] = [await start(), await start()];
    expect((await stored.put('as it was')).status).toBe(200);
    for (const { head } of [fresh, stored]) {
      const { socket } = await rawConnection(port);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      await new Promise((resolve) => socket.write(head(framing) + part, resolve));
      if (how === 'end') socket.end();
      else socket.resetAndDestroy();
      await closed;
    }
    await expect.poll(onDisk).toHaveLength(1);
    expect(await register(fresh.fileKey)).toBe(422);
    expect(mock.files.get(fresh.fileKey)).toMatchObject({ state: 'started', size: null });
    expect(await textOf(stored.fileKey)).toBe('as it was');
    expect(await register(stored.fileKey)).toBe(201);
    // A client that went away is no error of the mock.
    expect(errors).toEqual([]);
  });
});

it('of twenty uploads to one fileKey at once, one is stored whole and no other stays on disk', async () => {
  await serve();
  const { fileKey, put } = await start();
  const bodies = Array.from({ length: 20 }, (_, n) => new Uint8Array(300_000 + n).fill(65 + n));
  const replies = await Promise.all(bodies.map(put));
  expect(replies.map(({ status }) => status)).toEqual(bodies.map(() => 200));
  const bytes = await mock.files.bytes(fileKey);
  expect(bodies.some((body) => Buffer.compare(body, bytes) === 0)).toBe(true);
  expect(mock.files.get(fileKey)).toMatchObject({
    size: bytes.length,
    etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
  });
  await expect.poll(onDisk).toHaveLength(1);
  expect(await register(fileKey)).toBe(201);
  expect(errors).toEqual([]);
});

/** A disk of 256 KB, where this process may make one; else the disk is one in name only. */
function smallDisk(): string | null {
  const folder = join(parent, 'small');
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  stop.push(() => execFileSync('umount', [folder]));
  return folder;
}

describe('a disk that is full', () => {
  it.each<[string, () => FileStore]>([
    ['in name', () => smallFiles(256 * 1024)],
    [
      'in truth, where root runs the tests',
      () => {
        const folder = smallDisk();
        return folder === null ? smallFiles(256 * 1024) : diskFiles(folder);
      },
    ],
  ])('(%s) is told clearly, changes nothing, and is used again when there is room', async (_, files) => {
    await serve(files());
    const { fileKey, put } = await start();
    expect((await put('as it was')).status).toBe(200);
    const large = new Uint8Array(300 * 1024).fill(65);
    const refused = await put(large);
    expect([refused.status, await refused.text()]).toEqual([
      507,
      expect.stringContaining(
        '<Code>InsufficientStorage</Code><Message>The disk on which the mock keeps files is full.',
      ),
    ]);
    expect(errors).toMatchObject([{ code: 'ENOSPC' }]);
    expect(await textOf(fileKey)).toBe('as it was');
    const other = await start();
    expect((await other.put(large)).status).toBe(507);
    expect(await register(other.fileKey)).toBe(422);
    expect(await register(fileKey)).toBe(201);
  });

  it('with no room even for a folder is tried again with the next upload', async () => {
    const folder = join(parent, 'later');
    await serve(diskFiles(folder));
    const { fileKey, put } = await start();
    expect((await put('lost')).status).toBe(500);
    expect(await register(fileKey)).toBe(422);
    mkdirSync(folder);
    expect((await put('kept')).status).toBe(200);
    expect(await textOf(fileKey)).toBe('kept');
  });

  it('makes a restore fail, and the mock does not change', async () => {
    await serve(memoryFiles());
    const { put } = await start();
    await put(new Uint8Array(200 * 1024).fill(65));
    await put(new Uint8Array(200 * 1024).fill(66));
    const snapshot = await mock.snapshot();
    await serve(smallFiles(100 * 1024));
    const own = await start();
    await own.put('as it was');
    const before = JSON.stringify({ ...(await mock.snapshot()), takenAt: '' });
    await expect(mock.restore(snapshot)).rejects.toThrow('ENOSPC');
    expect(JSON.stringify({ ...(await mock.snapshot()), takenAt: '' })).toBe(before);
    expect(await textOf(own.fileKey)).toBe('as it was');
  });

  it('keeps old bytes that cannot be removed, and the upload succeeds', async () => {
    const files = memoryFiles();
    await serve({ ...files, remove: async () => Promise.reject(full) });
    const { fileKey, put } = await start();
    expect((await put('old')).status).toBe(200);
    expect((await put('new')).status).toBe(200);
    expect(await textOf(fileKey)).toBe('new');
    expect(errors).toEqual([full]);
  });
});

it('uploads go on after somebody has removed the folder, without the files in it', async () => {
  await serve();
  const { fileKey, put } = await start();
  await put('lost');
  rmSync(join(parent, readdirSync(parent)[0] ?? ''), { recursive: true });
  await expect(mock.files.bytes(fileKey)).rejects.toThrow('no bytes were PUT');
  expect((await put('again')).status).toBe(200);
  expect(await textOf(fileKey)).toBe('again');
  expect(errors).toEqual([]);
});
