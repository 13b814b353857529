import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { acme } from './acme.ts';
import { createServedMock } from './create-served-mock.ts';

/** Requests under way at once. */
const connections = 32;
/** Memory may differ by this much before and after. */
const allowedMegabytes = 20;

const params = { id: acme.open, label: acme.gateCode };
const mixed: readonly { method: string; path: string; body?: string }[] = [
  { method: 'GET', path: '/v1/labels' },
  { method: 'GET', path: `/v1/conversation/${params.id}/context` },
  { method: 'PUT', path: `/v1/conversation/${params.id}/label/${params.label}` },
  { method: 'DELETE', path: `/v1/conversation/${params.id}/label/${params.label}` },
  { method: 'GET', path: `/v1/site/${acme.site}` },
  { method: 'GET', path: '/v1/conversation/nobody' },
  { method: 'POST', path: `/v1/site/${acme.site}/file`, body: JSON.stringify({ fileKey: params.id }) },
];

/**
 * Sends requests over HTTP, then compares memory with what it was after the journal had filled.
 * @returns requests per second, and megabytes of resident memory and of heap before and after
 */
export async function soak(requests: number) {
  await using mock = await createServedMock({ rateLimit: false });
  const { port } = await mock.listen({ port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let sent = 0;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const { method, path, body } = mixed[sent++ % mixed.length] ?? { method: 'GET', path: '/v1/health' };
      const headers = {
        'x-api-key': acme.full,
        ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
      };
      request({ port, agent, method, path, headers }, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end(body);
    });
  const send = async (until: number) => {
    const lane = async () => {
      while (sent < until) await one();
    };
    await Promise.all(Array.from({ length: connections }, lane));
  };

  // Until here caches warm up, the journal fills and V8 finds the size of its young generation: from now on nothing may grow.
  await send(Math.max(20_000, requests / 5));
  const before = memory();
  const startedAt = performance.now();
  const first = sent;
  await send(requests);
  const seconds = (performance.now() - startedAt) / 1000;
  const after = memory();
  agent.destroy();
  return { requests: sent, perSecond: Math.round((sent - first) / seconds), journal: mock.journal.size, before, after };
}

function memory() {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const megabytes = (bytes: number) => Math.round(bytes / 1024 / 102.4) / 10;
  return { rss: megabytes(rss), heap: megabytes(heapUsed) };
}

// `npm run soak` sends a million, `npm run soak -- 50000` what CI has time for.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outcome = await soak(Number(process.argv[2] ?? 1_000_000));
  const grown = { rss: outcome.after.rss - outcome.before.rss, heap: outcome.after.heap - outcome.before.heap };
  process.stdout.write(`${JSON.stringify({ ...outcome, grown })}\n`);
  if (grown.rss > allowedMegabytes || grown.heap > allowedMegabytes) {
    process.stderr.write(`memory grew by more than ${allowedMegabytes} MB\n`);
    process.exitCode = 1;
  }
}
