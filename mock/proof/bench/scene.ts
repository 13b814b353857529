import type { RateLimit } from '../../keys/bucket.ts';
import { acme } from '../acme.ts';
import type { Shot } from './fire.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** The mock with everything on, and the same reply from bare node:http, both listening. */
interface Scene {
  readonly mock: ServerProcess;
  readonly bare: ServerProcess;
  /** The request that both get. */
  shot(server: ServerProcess, duration: number): Shot;
  stop(): Promise<void>;
}

export type SceneName = 'context' | 'labelPut' | 'throttled';

/** So high that the bucket is used but never empty. */
const high: RateLimit = { perSecond: 1e9, burst: 1e9 };
const headers = { 'x-api-key': acme.full };

const requests = {
  context: { method: 'GET', path: `/v1/conversation/${acme.open}/context`, rateLimit: high },
  labelPut: { method: 'PUT', path: `/v1/site/${acme.site}/label/${acme.gateCode}`, rateLimit: high },
  // One request an hour: all replies but the first are 429.
  throttled: {
    method: 'GET',
    path: `/v1/conversation/${acme.open}/context`,
    rateLimit: { perSecond: 1 / 3600, burst: 1 },
  },
} as const satisfies Record<SceneName, unknown>;

export async function setScene(name: SceneName): Promise<Scene> {
  const { method, path, rateLimit } = requests[name];
  const mock = await startServer({ kind: 'mock', rateLimit });
  const ask = () => fetch(mock.url + path, { method, headers });
  await (await ask()).arrayBuffer();
  const reply = await ask();
  const own = ['content-type', 'retry-after'].flatMap((field) => {
    const value = reply.headers.get(field);
    return value === null ? [] : [[field, value] as const];
  });
  const fixed = { kind: 'fixed', status: reply.status, headers: Object.fromEntries(own), body: await reply.text() };
  const bare = await startServer(fixed);
  return {
    mock,
    bare,
    shot: ({ url }, duration) => ({ url: url + path, method, headers, duration }),
    async stop() {
      await Promise.all([mock.stop(), bare.stop()]);
    },
  };
}
