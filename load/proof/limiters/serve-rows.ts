import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rows } from '../../../spec/limiter/proof/limiters.ts';
import { seededRandom } from '../../../spec/random.ts';

// Every simulated limiter behind a real socket: `/ROW/OPERATION`. In a process of its own, so that it and the client share no
// event loop. Prints its port.

const random = seededRandom(Date.now());
const gateways = rows.map(({ make }) => make(random));
const begin = performance.now();

const server = createServer((request, response) => {
  const [, row, operation = ''] = request.url?.split('/') ?? [];
  const now = performance.now() - begin;
  const { status, until = now } = gateways[Number(row)]?.(now, operation) ?? { status: 404 };
  setTimeout(() => response.writeHead(status, { 'retry-after': '1' }).end(), until - now);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
