import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onLoopback } from '../../spec/proof/processes.ts';
import { createServedMock, type Mock } from '../adapters/create-served-mock.ts';
import { consolePage } from './console-page.ts';

let mock: Mock;
beforeEach(async () => {
  mock = await createServedMock();
});
afterEach(() => mock.close());

const assetsOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="(\/_mock\/console\/[^"]+)"/g)].map(([, path]) => path);

describe('the console at /_mock', () => {
  it('is a page that runs only its own files', async () => {
    const { url } = await mock.listen({ port: 0 });
    for (const path of ['/_mock', '/_mock/']) {
      const page = await fetch(url + path);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|http/);
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(await page.text()).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|https?:\/\/(?!www\.w3\.org)/);
    }
  });

  it('loads at most 80 KB at first, gzipped, and says how long each file may be cached', async () => {
    const { url } = await mock.listen({ port: 0 });
    const html = await (await fetch(`${url}/_mock`)).text();
    const assets = assetsOf(html);
    expect(assets.length).toBeGreaterThan(1);
    let size = gzipSync(html).length;
    for (const path of assets) {
      const asset = await fetch(url + path);
      expect([asset.status, asset.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
      size += gzipSync(await asset.bytes()).length;
    }
    expect(size).toBeLessThan(80_000);
  });

  it('needs no token, because the data that it shows needs one', async () => {
    const { url } = await mock.listen({ port: 0, control: { token: 'a-control-token' } });
    expect((await fetch(`${url}/_mock`)).status).toBe(200);
    expect((await fetch(`${url}/_mock/keys`)).status).toBe(401);
  });

  it('serves only its files', async () => {
    const { url } = await mock.listen({ port: 0 });
    for (const path of ['assets/../../control/guard.ts', 'assets/%2e%2e/index.html', 'assets/', 'assets/none.js']) {
      expect((await fetch(`${url}/_mock/console/${path}`)).status).toBe(404);
    }
    expect((await fetch(`${url}/_mock`, { method: 'POST' })).status).toBe(404);
  });

  it('says in one line how to build it where it is missing', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'console-'));
    const server = createServer(express().use(consolePage(empty)));
    const missing = await fetch(`${await onLoopback(server)}/_mock`);
    server.close();
    await rm(empty, { recursive: true });
    expect([missing.status, await missing.text()]).toEqual([
      503,
      'The console is not built yet: run `npm run build:console`.\n',
    ]);
  });

  it('contains no module of Node, and no secret of the fixtures', async () => {
    const folder = join(import.meta.dirname, '../console/dist/assets');
    const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
    expect(texts.join('\n')).not.toMatch(/["']node:|fake-secret/);
  });
});
