import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { onLoopback } from '../../../spec/proof/on-loopback.ts';
import type { Mock } from '../../create-mock.ts';
import type { RateLimit } from '../../keys/bucket.ts';
import type { Usage } from './servers.ts';

/** A server process: serves what its one argument says, tells its address, then what it has used whenever asked. */

type ServerSettings =
  | { readonly kind: 'mock'; readonly rateLimit: RateLimit }
  /** The upper bound for node:http: the same prepared reply to every request. */
  | { readonly kind: 'fixed'; readonly status: number; readonly headers: Record<string, string>; readonly body: string }
  /** The limit of an upload: hashes the bytes and writes them into a file. */
  | { readonly kind: 'sink' };

let mock: Mock | undefined;
let folder: string | undefined;

async function serve(settings: ServerSettings): Promise<string> {
  switch (settings.kind) {
    case 'mock': {
      const { createMock, listen } = await import('../../index.ts');
      mock = await createMock({ rateLimit: settings.rateLimit, storageLimit: Number.POSITIVE_INFINITY });
      return (await listen(mock, { port: 0 })).url;
    }
    case 'fixed': {
      const body = Buffer.from(settings.body);
      const headers = { ...settings.headers, 'content-length': body.length };
      return bare((_request, response) => response.writeHead(settings.status, headers).end(body));
    }
    case 'sink': {
      const into = await mkdtemp(join(tmpdir(), 'partnerkit-bench-'));
      folder = into;
      return bare((request, response) => {
        const file = join(into, crypto.randomUUID());
        const hash = createHash('md5');
        const hashed = async function* () {
          for await (const chunk of request) {
            hash.update(chunk);
            yield chunk;
          }
        };
        pipeline(hashed, createWriteStream(file)).then(() =>
          response.writeHead(200, { etag: hash.digest('hex') }).end(),
        );
      });
    }
  }
}

const bare = (listener: RequestListener) => onLoopback(createServer({ keepAliveTimeout: 65_000 }, listener));

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ seconds: (user + system) / 1e6, resident: process.memoryUsage.rss() } satisfies Usage);
});

/** Uploaded files are removed however the process ends. */
async function end(): Promise<void> {
  await mock?.close();
  if (folder !== undefined) await rm(folder, { recursive: true });
  process.exit();
}

process.on('SIGTERM', end);
process.on('disconnect', end);
process.send?.(await serve(JSON.parse(process.argv[2] ?? '')));
