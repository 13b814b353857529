import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onLoopback } from '../../../spec/proof/processes.ts';
import { acme } from '../acme.ts';
import { findChromium, sharedChromium } from '../chromium.ts';
import type { Visit } from './page.ts';

const chromium = findChromium();

/** The page as any bundler for browsers makes it: no plugin, nothing of Node. */
const bundlePage = () =>
  build({
    entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    minify: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
  });

const md5 = (bytes: Uint8Array) => `"${createHash('md5').update(bytes).digest('hex')}"`;

describe('the bundle for browsers', () => {
  it('has nothing of Node in it', async () => {
    const { metafile, outputFiles } = await bundlePage();
    const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(imported.filter((path) => path.startsWith('node:'))).toEqual([]);
    expect(
      Object.keys(metafile.inputs).filter((path) => /node_modules\/(express|commander|yaml)\//.test(path)),
    ).toEqual([]);
    expect(outputFiles[0]?.text).not.toMatch(/["']node:/);
  });
});

describe.skipIf(chromium === null)('msw handlers in a service worker', () => {
  let visit: Visit;
  let url: string;
  const complaints: string[] = [];
  const stop: (() => unknown)[] = [];

  beforeAll(async () => {
    const { outputFiles } = await bundlePage();
    const worker = await readFile(fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js')));
    const files: Readonly<Record<string, readonly [string, string | Uint8Array]>> = {
      '/': ['text/html', '<!doctype html><title>page</title><script type="module" src="/page.js"></script>'],
      '/page.js': ['text/javascript', outputFiles[0]?.contents ?? ''],
      '/mockServiceWorker.js': ['text/javascript', worker],
      '/asset.txt': ['text/plain', 'from the network'],
    };
    const server = createServer((request, response) => {
      const [type, content] = files[request.url ?? ''] ?? [];
      response.writeHead(type === undefined ? 404 : 200, { 'content-type': type ?? 'text/plain' }).end(content);
    });
    url = await onLoopback(server);
    stop.push(() => server.close());

    const page = await (await sharedChromium()).newPage();
    stop.unshift(() => page.close());
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(url);
    visit = await page.evaluate<Visit>('visit()');
  });
  afterAll(async () => {
    for (const each of stop) await each();
  });

  it('takes uploads at another origin, and below a path of the page itself', () => {
    const { elsewhere, here } = visit.uploads;
    expect(elsewhere).toMatchObject({ put: 200, etag: md5(Buffer.alloc(2_000_000, 7)) });
    expect(elsewhere.uploadUrl).toMatch(/^https:\/\/connect\.example\.com\/storage\/acme\//);
    expect(elsewhere.registered).toMatchObject({ siteId: acme.site, size: 2_000_000, contentType: 'image/png' });
    expect(here).toMatchObject({ put: 200, etag: md5(new Uint8Array([1, 2, 3])) });
    expect(here.uploadUrl.startsWith(`${url}/partner/storage/acme/`)).toBe(true);
  });

  it('keeps two mocks apart, and leaves the page its own files', () => {
    expect([visit.applied, visit.labels]).toEqual([200, { elsewhere: true, here: false }]);
    expect(visit.exchanges).toEqual([14, 4]);
    expect(visit.asset).toBe('from the network');
  });

  it('throttles, and drops connections', () => {
    expect([visit.throttled, visit.retryAfter]).toEqual([true, '1']);
    expect(visit.dropped).toContain('Failed to fetch');
    expect(complaints).toEqual([]);
  });
});
