import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Serves `GET /metrics`.
 * @returns its URL, and what ends it
 * @throws Error where nothing can listen there
 */
export async function serveMetrics(
  text: () => string,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    const isMetrics = request.method === 'GET' && request.url === '/metrics';
    response.writeHead(isMetrics ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(isMetrics ? text() : 'GET /metrics\n');
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/metrics`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
