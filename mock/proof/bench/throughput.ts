import type { Fire } from './fire.ts';
import { type Measurement, median } from './measurement.ts';
import { type SceneName, setScene } from './scene.ts';
import type { ServerProcess } from './server-process.ts';

const goals = {
  context: { what: 'GET context, against bare node:http', atLeast: 0.75, shortBound: 0.3 },
  labelPut: { what: 'PUT label, against bare node:http', atLeast: 0.7, shortBound: 0.25 },
  throttled: { what: '429, against bare node:http', atLeast: 0.8, shortBound: 0.3 },
} as const satisfies Record<SceneName, unknown>;

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
 * What a request costs the mock, against what the same reply costs bare node:http, round by round. Judged is processor time
 * per request, all threads: it is what one core can serve, and it stays the same when others use the machine. The requests
 * that were counted stand beside it.
 */
export async function throughput(name: SceneName, fire: Fire, { rounds, duration }: Rounds): Promise<Measurement[]> {
  const scene = await setScene(name);
  const round = async (server: ServerProcess, fewest = least) => {
    const before = await server.usage();
    let [requests, times, perSecond] = [0, 0, 0];
    while (requests < fewest) {
      const fired = await fire(scene.shot(server, duration));
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
    for (const server of [scene.mock, scene.bare]) await round(server, warmUp);
    type Turn = Awaited<ReturnType<typeof round>>;
    const pairs: { readonly mock: Turn; readonly bare: Turn }[] = [];
    for (let i = 0; i < rounds; i++) {
      // Who comes first takes turns, too: the load of a machine rises and falls.
      const first = i % 2 === 0 ? await round(scene.mock) : undefined;
      const bare = await round(scene.bare);
      pairs.push({ mock: first ?? (await round(scene.mock)), bare });
    }
    const micros = (of: 'mock' | 'bare') => median(pairs.map((pair) => pair[of].micros)).toFixed(1);
    const counted = median(pairs.map((pair) => pair.mock.perSecond / pair.bare.perSecond));
    return [
      {
        ...goals[name],
        values: pairs.map((pair) => pair.bare.micros / pair.mock.micros),
        unit: '×',
        detail: `${micros('bare')} / ${micros('mock')} µs of processor time per request; requests counted: ${counted.toFixed(2)}`,
      },
    ];
  } finally {
    await scene.stop();
  }
}
