import type { RateLimit } from '../../keys/bucket.ts';
import { acme } from '../acme.ts';
import { type Measurement, median } from './measurement.ts';
import { fire, type ServerProcess, startServer } from './servers.ts';

/** So high that the bucket is used but never empty. */
const high: RateLimit = { perSecond: 1e9, burst: 1e9 };
/** One request an hour: all replies but the first are 429. */
const low: RateLimit = { perSecond: 1 / 3600, burst: 1 };

const context = { method: 'GET', path: `/v1/conversation/${acme.open}/context` } as const;
const label = { method: 'PUT', path: `/v1/site/${acme.site}/label/${acme.gateCode}` } as const;

const scenes = {
  context: { ...context, rateLimit: high, goal: { what: 'GET context', atLeast: 0.75, shortBound: 0.3 } },
  labelPut: { ...label, rateLimit: high, goal: { what: 'PUT label', atLeast: 0.7, shortBound: 0.25 } },
  throttled: { ...context, rateLimit: low, goal: { what: '429', atLeast: 0.8, shortBound: 0.3 } },
} as const;

/** The first requests are the compiler's: so many, however slow the machine is. After 15,000 the mock still takes half as long again. */
const warmUp = 50_000;

/** Requests of a turn, at least: in fewer, what a process does beside them counts too much. */
const least = 5_000;

export interface Rounds {
  readonly rounds: number;
  /** Seconds of each, at least. */
  readonly duration: number;
}

/**
 * What a request costs the mock with everything on, against what the same reply costs bare node:http, round by round. Judged is
 * processor time per request, all threads, because it stays the same when others use the machine.
 */
export async function throughput(name: keyof typeof scenes, { rounds, duration }: Rounds): Promise<Measurement[]> {
  const { method, path, rateLimit, goal } = scenes[name];
  const mock = await startServer({ kind: 'mock', rateLimit });
  const ask = () => fetch(mock.url + path, { method, headers: { 'x-api-key': acme.full } });
  await (await ask()).arrayBuffer();
  const reply = await ask();
  const own = [...reply.headers].filter(([field]) => ['content-type', 'retry-after'].includes(field));
  const fixed = { kind: 'fixed', status: reply.status, headers: Object.fromEntries(own), body: await reply.text() };
  const bare = await startServer(fixed);
  const round = async (server: ServerProcess, fewest = least) => {
    const before = await server.usage();
    let [requests, times, perSecond] = [0, 0, 0];
    while (requests < fewest) {
      const fired = await fire({ url: server.url + path, method, duration });
      const wrong = name === 'throttled' ? fired.requests - fired.refused : fired.refused;
      if (fired.requests === 0 || wrong > fired.requests / 1000)
        throw new Error(`${name}: ${wrong} of ${fired.requests} replies were not what was to be measured`);
      requests += fired.requests;
      perSecond += fired.perSecond;
      times++;
    }
    const used = (await server.usage()).seconds - before.seconds;
    return { perSecond: perSecond / times, micros: (used / requests) * 1e6 };
  };
  try {
    for (const server of [mock, bare]) await round(server, warmUp);
    type Turn = Awaited<ReturnType<typeof round>>;
    const pairs: { readonly mock: Turn; readonly bare: Turn }[] = [];
    for (let i = 0; i < rounds; i++) {
      // Who comes first takes turns, too: the load of a machine rises and falls.
      const first = i % 2 === 0 ? await round(mock) : undefined;
      const other = await round(bare);
      pairs.push({ mock: first ?? (await round(mock)), bare: other });
    }
    const micros = (of: 'mock' | 'bare') => median(pairs.map((pair) => pair[of].micros)).toFixed(1);
    const counted = median(pairs.map((pair) => pair.mock.perSecond / pair.bare.perSecond));
    return [
      {
        ...goal,
        what: `${goal.what}, against bare node:http`,
        values: pairs.map((pair) => pair.bare.micros / pair.mock.micros),
        unit: '×',
        detail: `${micros('bare')} / ${micros('mock')} µs of processor time per request; requests counted: ${counted.toFixed(2)}`,
      },
    ];
  } finally {
    await Promise.all([mock.stop(), bare.stop()]);
  }
}
