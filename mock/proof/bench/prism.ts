import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../spec/proof/on-loopback.ts';
import { acme } from '../acme.ts';
import type { Measurement } from './measurement.ts';
import { checkout, fire, preparePackage, program, startCommand } from './servers.ts';
import type { Rounds } from './throughput.ts';

/** Pinned, and no dependency of this package. */
const version = '5.16.0';
const folder = join(checkout, '.cache/prism/');
const path = `/v1/conversation/${acme.open}/context`;

/** The mock as its command starts it, against Prism, which most would take for an OpenAPI document: the same reply, and the start. */
export async function prism({ rounds, duration }: Rounds): Promise<Measurement[]> {
  preparePackage();
  const startMock = () => startCommand([program, 'mock', '--port', '0', '--quiet', '--no-rate-limit'], { path });
  const mock = await startMock();
  const body = await (await fetch(mock.url + path, { headers: { 'x-api-key': acme.full } })).json();
  const startPrism = await prepared(body);
  const other = await startPrism();
  const starts: number[] = [];
  const counts: number[] = [];
  try {
    const perSecond = async (url: string) => {
      const { perSecond, refused, requests } = await fire({ url: url + path, method: 'GET', duration });
      if (requests === 0 || refused > 0) throw new Error(`${url}: ${refused} of ${requests} requests were refused`);
      return perSecond;
    };
    for (const { url } of [mock, other]) await perSecond(url);
    for (let i = 0; i < rounds; i++) counts.push((await perSecond(mock.url)) / (await perSecond(other.url)));
  } finally {
    await Promise.all([mock.stop(), other.stop()]);
  }
  for (let i = 0; i < rounds; i++) {
    const [own, its] = [await startMock(), await startPrism()];
    starts.push(own.took / its.took);
    await Promise.all([own.stop(), its.stop()]);
  }
  return [
    { what: `GET context, against Prism ${version}`, values: counts, unit: '×', detail: 'requests counted' },
    { what: `start to the first reply, against Prism ${version}`, values: starts, unit: '×', detail: 'by the clock' },
  ];
}

/** Installs Prism into the cache, and writes a document with that reply. @returns what starts it */
async function prepared(example: unknown) {
  const script = join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js');
  await mkdir(folder, { recursive: true });
  if (!existsSync(script)) {
    await writeFile(join(folder, 'package.json'), '{"private":true}\n');
    const flags = ['install', '--no-audit', '--no-fund', '--no-save', `@stoplight/prism-cli@${version}`];
    await promisify(execFile)('npm', flags, { cwd: folder });
  }
  const responses = { 200: { description: 'ok', content: { 'application/json': { example } } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'context', version: '1' },
    paths: { [path]: { get: { responses } } },
  };
  const file = join(folder, 'context.json');
  await writeFile(file, JSON.stringify(document));
  return async () => {
    const port = await freePort();
    const args = [script, 'mock', '--port', String(port), '--verboseLevel', 'silent', file];
    return startCommand(args, { path, at: `http://127.0.0.1:${port}` });
  };
}
