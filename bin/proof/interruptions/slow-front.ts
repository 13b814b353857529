import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMock, type Mock } from '../../../mock/index.ts';

/** A mock behind a server that holds writes back, and tells of each before it is carried out and after. */
interface SlowFront extends AsyncDisposable {
  readonly mock: Mock;
  readonly url: string;
}

export type Step = 'arrived' | 'done';

/**
 * @param holdBack milliseconds for which each write is held back before it is carried out, whether its sender still waits or not
 * @param onWrite called with how many writes have come, this one included
 */
export async function slowFront(holdBack: number, onWrite: (write: number, step: Step) => void): Promise<SlowFront> {
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
      await sleep(holdBack);
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    mock,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await mock.close();
    },
  };
}
