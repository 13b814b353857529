import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createServedMock } from '../adapters/create-served-mock.ts';
import { acme } from './acme.ts';

/** Requests under way at once. */
const connections = 32;
/** Memory may differ by this much before and after. */
const allowedMegabytes = 20;
const self = fileURLToPath(import.meta.url);

const labelled = `/v1/conversation/${acme.open}/label/${acme.gateCode}`;
const mixed: readonly { readonly method: string; readonly path: string; readonly body?: string }[] = [
  { method: 'GET', path: '/v1/labels' },
  { method: 'GET', path: `/v1/conversation/${acme.open}/context` },
  { method: 'PUT', path: labelled },
  { method: 'DELETE', path: labelled },
  { method: 'GET', path: `/v1/site/${acme.site}` },
  { method: 'GET', path: '/v1/conversation/nobody' },
  { method: 'POST', path: `/v1/site/${acme.site}/file`, body: JSON.stringify({ fileKey: acme.open }) },
];

interface Memory {
  readonly rss: number;
  readonly heap: number;
  readonly kept: number;
}

/** The mock in its own process, so that only it is measured. It sends its port, and its memory on request. */
async function serve(): Promise<void> {
  const mock = await createServedMock({ rateLimit: false });
  const { port } = await mock.listen({ port: 0 });
  process.on('message', () => {
    // The kind of collection that also gives back memory which V8 would keep for the next rush.
    globalThis.gc?.({ execution: 'sync', flavor: 'last-resort', type: 'major' });
    const { rss, heapUsed } = process.memoryUsage();
    const megabytes = (bytes: number) => Math.round(bytes / 1024 / 102.4) / 10;
    process.send?.({ rss: megabytes(rss), heap: megabytes(heapUsed), kept: mock.journal.size.kept } satisfies Memory);
  });
  process.send?.(port);
}

/** Sends requests over HTTP and compares the memory of the mock, in megabytes, with what it was after a fifth of them. */
async function soak(requests: number) {
  const child = fork(self, ['serve'], { execArgv: ['--expose-gc'] });
  const [port] = await once(child, 'message');
  const memory = async (): Promise<Memory> => {
    child.send('memory');
    return (await once(child, 'message'))[0];
  };
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let sent = 0;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const { method, path, body } = mixed[sent++ % mixed.length] ?? { method: 'GET', path: '/v1/health' };
      const json = body !== undefined && { 'content-type': 'application/json', 'content-length': body.length };
      request({ port, agent, method, path, headers: { 'x-api-key': acme.full, ...json } }, (response) =>
        response.resume().on('end', resolve),
      )
        .on('error', reject)
        .end(body);
    });
  const send = async (until: number) => {
    const lane = async () => {
      while (sent < until) await one();
    };
    await Promise.all(Array.from({ length: connections }, lane));
  };

  // Until here code is compiled, the journal fills and V8 finds the size of its heap: from now on nothing may grow.
  await send(Math.max(20_000, requests / 5));
  const before = await memory();
  const startedAt = performance.now();
  const first = sent;
  await send(requests);
  const perSecond = Math.round(((sent - first) / (performance.now() - startedAt)) * 1000);
  const after = await memory();
  agent.destroy();
  child.kill();
  const grown = { rss: Math.round(after.rss - before.rss), heap: Math.round(after.heap - before.heap) };
  return { requests: sent, perSecond, before, after, grown };
}

if (process.argv[2] === 'serve') await serve();
// `npm run soak` sends a million requests, `npm run soak -- 50000` as many as CI has time for.
else if (process.argv[1] === self) {
  const outcome = await soak(Number(process.argv[2] ?? 1_000_000));
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
  if (Math.max(outcome.grown.rss, outcome.grown.heap) > allowedMegabytes || outcome.after.kept === 0) {
    process.stderr.write(`memory grew by more than ${allowedMegabytes} MB\n`);
    process.exitCode = 1;
  }
}
