import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { acme } from '../../acme.ts';
import type { Measurement } from '../report/measurement.ts';
import { summaryOf } from '../report/summary.ts';
import { type ServerProcess, startServer } from '../server/server-process.ts';

const client = fileURLToPath(new URL('../traffic/upload-client.ts', import.meta.url));
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

const put = async (urls: readonly string[], bytes: number) =>
  Number((await promisify(execFile)(process.execPath, [client, JSON.stringify(urls), String(bytes)])).stdout);

/** One large upload against a sink that hashes and writes the same bytes; the memory over it; and fifty at once. */
export async function upload(bytes: number, rounds: number): Promise<Measurement[]> {
  const mock = await startServer({ kind: 'mock', rateLimit: { perSecond: 1e9, burst: 1e9 } });
  const sink = await startServer({ kind: 'sink' });
  const used = async (server: ServerProcess, work: () => Promise<number>) => {
    const before = (await server.usage()).seconds;
    const took = await work();
    return { took, seconds: (await server.usage()).seconds - before };
  };
  try {
    await put([await uploadUrl(mock)], 64 * megabyte);
    await put([sink.url], 64 * megabyte);
    const rests = (await mock.usage({ collect: true })).resident;
    let most = rests;
    const watch = setInterval(() => void mock.usage().then(({ resident }) => (most = Math.max(most, resident))), 100);
    const pairs = [];
    for (let i = 0; i < rounds; i++) {
      const url = await uploadUrl(mock);
      pairs.push({
        mock: await used(mock, () => put([url], bytes)),
        sink: await used(sink, () => put([sink.url], bytes)),
      });
    }
    clearInterval(watch);
    const grown = (most - rests) / megabyte;

    const urls = [];
    for (let i = 0; i < 50; i++) urls.push(await uploadUrl(mock));
    const each = Math.floor(bytes / 50);
    const together = await put(urls, each);
    const perSecond = (milliseconds: number) => Math.round(bytes / megabyte / (milliseconds / 1000));
    const counted = summaryOf(pairs.map((pair) => pair.sink.took / pair.mock.took));
    return [
      {
        goal: 'upload',
        figure: summaryOf(pairs.map((pair) => pair.sink.seconds / pair.mock.seconds)),
        unit: '×',
        detail: `processor time for ${Math.round(bytes / megabyte)} MiB; by the clock ${counted.median.toFixed(2)} (${counted.min.toFixed(2)} to ${counted.max.toFixed(2)}), ${perSecond(summaryOf(pairs.map((pair) => pair.mock.took)).median)} MiB/s`,
      },
      {
        goal: 'uploadMemory',
        figure: summaryOf([grown]),
        unit: 'MB',
        detail: `resident ${Math.round(rests / megabyte)} MB before`,
      },
      {
        goal: null,
        what: '50 uploads at once',
        figure: summaryOf([perSecond(together)]),
        unit: 'MiB/s',
        detail: `${Math.round(each / megabyte)} MiB each`,
      },
    ];
  } finally {
    await Promise.all([mock.stop(), sink.stop()]);
  }
}
