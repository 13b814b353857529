import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { acme } from '../acme.ts';
import { type Measurement, median } from './measurement.ts';
import { checkout, type ServerProcess, startServer } from './servers.ts';

const self = fileURLToPath(import.meta.url);
const megabyte = 1024 * 1024;

/** An upload URL of the mock. */
async function uploadUrl({ url }: ServerProcess): Promise<string> {
  const reply = await fetch(`${url}/v1/site/${acme.site}/file/upload-url`, {
    method: 'POST',
    headers: { 'x-api-key': acme.full, 'content-type': 'application/json' },
    body: JSON.stringify({ contentType: 'application/octet-stream' }),
  });
  const { uploadUrl } = (await reply.json()) as { uploadUrl: string };
  return uploadUrl;
}

/** PUTs so many bytes from another process. @returns milliseconds */
const put = async (url: string, bytes: number) =>
  Number((await promisify(execFile)(process.execPath, [self, url, String(bytes)])).stdout);

/** One large upload against a sink that hashes and writes the same bytes; the memory over it. */
export async function upload(bytes: number, rounds: number): Promise<Measurement[]> {
  const mock = await startServer({ kind: 'mock', rateLimit: { perSecond: 1e9, burst: 1e9 } });
  const sink = await startServer({ kind: 'sink' });
  let most = 0;
  const timed = async (server: ServerProcess, url: string) => {
    const before = (await server.usage()).seconds;
    const uploading = put(url, bytes);
    for (let done = false; !done; ) {
      done = await Promise.race([uploading.then(() => true), sleep(100, false)]);
      if (server === mock) most = Math.max(most, (await mock.usage()).resident);
    }
    return { took: await uploading, seconds: (await server.usage()).seconds - before };
  };
  try {
    await put(await uploadUrl(mock), 64 * megabyte);
    await put(sink.url, 64 * megabyte);
    const rests = (await mock.usage()).resident;
    const pairs = [];
    for (let i = 0; i < rounds; i++)
      pairs.push({ mock: await timed(mock, await uploadUrl(mock)), sink: await timed(sink, sink.url) });
    const clock = median(pairs.map((pair) => pair.sink.took / pair.mock.took)).toFixed(2);
    return [
      {
        what: 'upload of 1 GiB, against a bare hashing sink',
        atLeast: 0.8,
        values: pairs.map((pair) => pair.sink.seconds / pair.mock.seconds),
        unit: '×',
        detail: `processor time; by the clock ${clock}`,
      },
      {
        what: 'memory growth over that upload',
        atMost: 32,
        values: [(most - rests) / megabyte],
        unit: 'MB',
        detail: `resident ${Math.round(rests / megabyte)} MB before`,
      },
    ];
  } finally {
    await Promise.all([mock.stop(), sink.stop()]);
  }
}

/** As the client: sends a file of zeros that takes no disk. */
async function send(url: string, size: number): Promise<void> {
  const path = join(checkout, `.cache/bench/${size}.zeros`);
  const file = await open(path, 'w');
  await file.truncate(size);
  await file.close();
  const startedAt = performance.now();
  const headers = { 'content-type': 'application/octet-stream', 'content-length': size };
  const outgoing = request(url, { method: 'PUT', headers });
  const answered = new Promise<number | undefined>((resolve, reject) =>
    outgoing.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject),
  );
  await pipeline(createReadStream(path), outgoing);
  const status = await answered;
  if (status !== 200) throw new Error(`the upload was answered with ${status}`);
  process.stdout.write(String(performance.now() - startedAt));
  process.exit();
}

if (process.argv[1] === self) await send(process.argv[2] ?? '', Number(process.argv[3]));
