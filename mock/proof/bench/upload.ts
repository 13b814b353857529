import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { acme } from '../acme.ts';
import { type Measurement, median } from './measurement.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const client = fileURLToPath(new URL('./upload-client.ts', import.meta.url));
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

const put = async (url: string, bytes: number) =>
  Number((await promisify(execFile)(process.execPath, [client, url, String(bytes)])).stdout);

/** One large upload against a sink that hashes and writes the same bytes; the memory over it. */
export async function upload(bytes: number, rounds: number): Promise<Measurement[]> {
  const mock = await startServer({ kind: 'mock', rateLimit: { perSecond: 1e9, burst: 1e9 } });
  const sink = await startServer({ kind: 'sink' });
  const used = async (server: ServerProcess, work: () => Promise<number>) => {
    const before = (await server.usage()).seconds;
    const took = await work();
    return { took, seconds: (await server.usage()).seconds - before };
  };
  try {
    await put(await uploadUrl(mock), 64 * megabyte);
    await put(sink.url, 64 * megabyte);
    const rests = (await mock.usage()).resident;
    let most = rests;
    const pairs = [];
    for (let i = 0; i < rounds; i++) {
      const url = await uploadUrl(mock);
      const before = (await mock.usage()).seconds;
      const uploading = put(url, bytes);
      for (let done = false; !done; ) {
        done = await Promise.race([uploading.then(() => true), sleep(100, false)]);
        most = Math.max(most, (await mock.usage()).resident);
      }
      const took = await uploading;
      const seconds = (await mock.usage()).seconds - before;
      pairs.push({ mock: { took, seconds }, sink: await used(sink, () => put(sink.url, bytes)) });
    }
    const grown = (most - rests) / megabyte;

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
        values: [grown],
        unit: 'MB',
        detail: `resident ${Math.round(rests / megabyte)} MB before`,
      },
    ];
  } finally {
    await Promise.all([mock.stop(), sink.stop()]);
  }
}
