import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMock, type Mock } from '../create-mock.ts';
import { acme } from '../proof/acme.ts';
import { contractClient } from '../proof/contract-client.ts';
import { openStateFile, writeAtomically } from './state-file.ts';

let path: string;
beforeEach(() => {
  before?.release();
  before = undefined;
  path = join(mkdtempSync(join(tmpdir(), 'partnerkit-state-')), 'state.json');
});

let before: Awaited<ReturnType<typeof openStateFile>> | undefined;

/** The next mock; the one before ends without another word, as one that is killed. */
async function start() {
  before?.release();
  const state = await openStateFile(path);
  before = state;
  const mock = await createMock({ files: state.files, uploadSecret: state.uploadSecret });
  await state.load(mock);
  return { state, mock };
}

async function upload(mock: Mock, text: string, to?: string) {
  const { call, send } = contractClient(mock, acme.full);
  const url =
    to ??
    (await call('startSiteFileUpload', { params: { id: acme.site }, body: { contentType: 'a/b' } })).body.uploadUrl;
  const { pathname, search } = new URL(url);
  await send('PUT', pathname + search, { body: text, key: undefined, headers: { 'content-type': 'a/b' } });
  return { url, fileKey: pathname.split('/').at(-1) ?? '' };
}

const text = async (mock: Mock, fileKey: string) => new TextDecoder().decode(await mock.files.bytes(fileKey));
const blobs = () => readdirSync(`${path}.files`);

describe('a state file', () => {
  it('gives the next mock the state of this one, bytes included', async () => {
    const one = await start();
    one.mock.labels.apply('acme', { conversation: acme.open }, 'gate code needed');
    const { name } = one.mock.tenants.create({ from: 'globex' });
    const { fileKey } = await upload(one.mock, 'hello');
    await one.state.save(one.mock);
    const two = await start();
    expect(two.mock.labels.of('acme', { conversation: acme.open }).map((label) => label.name)).toContain(
      'gate code needed',
    );
    expect(two.mock.tenant(name).clonedFrom).toBe('globex');
    expect(await text(two.mock, fileKey)).toBe('hello');
  });

  it('refers to existing bytes, although files were overwritten or removed since it was written', async () => {
    const one = await start();
    const { url, fileKey } = await upload(one.mock, 'old');
    const removed = await upload(one.mock, 'removed');
    await one.state.save(one.mock);
    await upload(one.mock, 'new', url);
    one.mock.reset('acme');
    // Here it is killed: the file still has both, and so has the folder.
    const two = await start();
    expect([await text(two.mock, fileKey), await text(two.mock, removed.fileKey)]).toEqual(['old', 'removed']);
  });

  it('names bytes only when they are safe from a power cut, with the folder that has them', async () => {
    const { mock, state } = await start();
    const handle = await open(path, 'w');
    const synced: number[] = [];
    const { sync } = Object.getPrototypeOf(handle);
    const spied = vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockImplementation(async function (
      this: typeof handle,
    ) {
      synced.push((await this.stat()).ino);
      return sync.call(this);
    });
    onTestFinished(() => spied.mockRestore());
    await handle.close();
    await upload(mock, 'hello');
    await state.save(mock);
    const files = [join(`${path}.files`, blobs()[0] ?? ''), `${path}.files`, path, dirname(path)];
    expect(synced).toEqual(files.map((file) => statSync(file).ino));
  });

  it('keeps no bytes that nothing refers to', async () => {
    const one = await start();
    const { url } = await upload(one.mock, 'old');
    await one.state.save(one.mock);
    await upload(one.mock, 'new', url);
    expect(blobs()).toHaveLength(2);
    await one.state.save(one.mock);
    expect(blobs()).toHaveLength(1);
    await upload(one.mock, 'never saved');
    await start();
    expect(blobs()).toHaveLength(1);
  });

  it('is written only when something changed', async () => {
    const { mock, state } = await start();
    await state.save(mock);
    writeFileSync(path, 'untouched');
    await state.save(mock);
    expect(readFileSync(path, 'utf8')).toBe('untouched');
    mock.labels.apply('acme', { site: acme.site }, 'vip');
    mock.labels.remove('acme', { site: acme.site }, 'vip');
    await state.save(mock);
    expect(JSON.parse(readFileSync(path, 'utf8')).version).toBe(1);
  });

  it.each([
    ['no JSON', '{"version":', 'is not JSON'],
    ['no state', '{"version":9}', 'version'],
  ])('with %s in it is refused and left alone', async (_, content, problem) => {
    writeFileSync(path, content);
    await expect(start()).rejects.toThrow(problem);
    expect(readFileSync(path, 'utf8')).toBe(content);
  });

  it('keeps upload URLs valid over a restart', async () => {
    const one = await start();
    const { url, fileKey } = await upload(one.mock, 'one');
    await one.state.save(one.mock);
    const two = await start();
    await upload(two.mock, 'two', url);
    expect(await text(two.mock, fileKey)).toBe('two');
    // Another state is another secret.
    path = join(dirname(path), 'other.json');
    const three = await start();
    expect(three.state.uploadSecret).not.toBe(one.state.uploadSecret);
  });

  it('can be read by nobody else, and does not contain the secret that signs upload URLs', async () => {
    const { mock, state } = await start();
    await state.save(mock);
    await upload(mock, 'mine alone');
    const files = [path, ...['secret', 'lock', 'files'].map((name) => `${path}.${name}`)];
    const inside = blobs().map((name) => join(`${path}.files`, name));
    const modes = [...files, ...inside].map((file) => (statSync(file).mode & 0o777).toString(8));
    // Windows has no such modes.
    if (process.platform !== 'win32') expect(modes).toEqual(['600', '600', '600', '700', '600']);
    expect(readFileSync(path, 'utf8')).not.toContain(state.uploadSecret);
    expect(JSON.stringify(await mock.snapshot())).not.toContain(state.uploadSecret);
  });

  it('removes temporary files that a crash during writing left', async () => {
    for (const name of ['state.json.4711.part', 'state.json.part', 'state.json.tmp', 'other.json.1.part']) {
      writeFileSync(join(dirname(path), name), 'half');
    }
    await start();
    expect(readdirSync(dirname(path)).sort()).toEqual([
      'other.json.1.part',
      'state.json.files',
      'state.json.lock',
      'state.json.secret',
      'state.json.tmp',
    ]);
  });

  it('belongs to one mock at a time, and says whose it is', async () => {
    const { state, mock } = await start();
    await state.save(mock);
    const text = readFileSync(path, 'utf8');
    await expect(openStateFile(path)).rejects.toThrow(`state.json is in use by process ${process.pid} since 2`);
    expect(readFileSync(path, 'utf8')).toBe(text);
    state.release();
    (await openStateFile(path)).release();
  });

  it('is free as soon as the mock that had it is killed', async () => {
    const script = `
      import { openStateFile } from './state-file.ts';
      await openStateFile(process.argv[1]);
      process.stdout.write('held');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], { cwd: import.meta.dirname });
    await once(child.stdout ?? child, 'data');
    await expect(openStateFile(path)).rejects.toThrow(`in use by process ${child.pid} since`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    // Of several that come at once, one gets it.
    const came = await Promise.allSettled(Array.from({ length: 5 }, () => openStateFile(path)));
    expect(came.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of came) if (one.status === 'fulfilled') one.value.release();
  });

  it.each(['lock', 'files'])('does not follow a link in place of its %s', async (name) => {
    const elsewhere = join(dirname(path), 'elsewhere');
    if (name === 'files') mkdirSync(elsewhere);
    else writeFileSync(elsewhere, 'precious');
    symlinkSync(elsewhere, `${path}.${name}`);
    await expect(openStateFile(path)).rejects.toThrow(/cannot keep uploaded files beside this file/);
    if (name === 'lock') expect(readFileSync(elsewhere, 'utf8')).toBe('precious');
  });

  it('refuses a lock file that is none, and does not change it', async () => {
    writeFileSync(`${path}.lock`, 'a text of somebody, long enough to be looked into. '.repeat(20));
    await expect(openStateFile(path)).rejects.toThrow('is not a lock file of partnerkit');
    expect(readFileSync(`${path}.lock`, 'utf8')).toContain('somebody');
  });

  it('removes nothing that it did not write', async () => {
    mkdirSync(`${path}.files`);
    writeFileSync(join(`${path}.files`, 'notes.txt'), 'mine');
    await start();
    expect(blobs()).toEqual(['notes.txt']);
  });

  it('is saved once more at the end', async () => {
    const { mock, state } = await start();
    const stop = state.keepSaving(mock, 3_600_000, () => {});
    mock.tenants.create({ from: 'acme', name: 'late' });
    await stop();
    expect(readFileSync(path, 'utf8')).toContain('"late"');
  });
});

it('replaces the file as a whole, so that a reader still reads the old text to its end', async () => {
  writeFileSync(path, 'the old text');
  const old = await open(path);
  await writeAtomically(path, 'new');
  expect(await old.readFile('utf8')).toBe('the old text');
  expect(readFileSync(path, 'utf8')).toBe('new');
  await old.close();
  expect(readdirSync(dirname(path))).toEqual(['state.json']);
});

it('leaves nothing behind when it cannot write', async () => {
  mkdirSync(path);
  await expect(writeAtomically(path, 'new')).rejects.toThrow();
  expect(readdirSync(dirname(path))).toEqual(['state.json']);
});

it('is whole after kill -9 in the middle of writing', async () => {
  const script = `
    import { writeAtomically } from './state-file.ts';
    for (let n = 1; ; n++) {
      await writeAtomically(process.argv[1], JSON.stringify({ n, filler: String(n).repeat(500_000) }));
      process.stdout.write(n + '\\n');
    }`;
  const seen = new Set<number>();
  for (let round = 0; round < 4; round++) {
    const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', script, path], {
      cwd: import.meta.dirname,
    });
    // The next write has begun by the time this is read.
    for (let writes = 0; writes <= round; writes++) await once(child.stdout ?? child, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { n, filler } = JSON.parse(readFileSync(path, 'utf8'));
    expect(filler).toBe(String(n).repeat(500_000));
    seen.add(n);
  }
  expect(seen.size).toBeGreaterThan(0);
});
