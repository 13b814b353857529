import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { onLoopback } from '../../spec/proof/on-loopback.ts';
import { createMock, type Mock } from '../index.ts';

/** A mock behind a server that delays writes, and reports each write before and after it is executed. */
interface SlowFront extends AsyncDisposable {
  readonly mock: Mock;
  readonly url: string;
}

export type Step = 'arrived' | 'done';

/**
 * @param delay milliseconds before each write is executed, even if its sender has gone
 * @param onWrite called with the number of writes so far, including this one
 */
export async function slowFront(delay: number, onWrite: (write: number, step: Step) => void): Promise<SlowFront> {
  const mock = await createMock({ rateLimit: false });
  let writes = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const write = request.method === 'GET' ? 0 : ++writes;
    if (write > 0) {
      onWrite(write, 'arrived');
      await sleep(delay);
    }
    const reply = await mock.handle({
      method: request.method ?? 'GET',
      url: request.url ?? '/',
      origin: 'http://127.0.0.1',
      headers: { ...request.headers } as Record<string, string>,
      body: chunks.length === 0 ? null : Readable.from(chunks),
    });
    if (write > 0) onWrite(write, 'done');
    response.writeHead(reply.status, reply.headers).end(reply.body);
  });
  const url = await onLoopback(server);
  return {
    mock,
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await mock.close();
    },
  };
}
