import type { Measurement } from '../report/measurement.ts';
import { summaryOf } from '../report/summary.ts';
import { type SceneName, setScene } from '../server/scene.ts';
import type { ServerProcess } from '../server/server-process.ts';
import type { Fire } from '../traffic/fire.ts';

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
export async function throughput(name: SceneName, fire: Fire, { rounds, duration }: Rounds): Promise<Measurement> {
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
    const pairs = [];
    for (let i = 0; i < rounds; i++) {
      // Who comes first takes turns, too: the load of a machine rises and falls.
      const first = i % 2 === 0 ? await round(scene.mock) : undefined;
      const bare = await round(scene.bare);
      pairs.push({ mock: first ?? (await round(scene.mock)), bare });
    }
    const [mock, bare] = [
      summaryOf(pairs.map((pair) => pair.mock.micros)),
      summaryOf(pairs.map((pair) => pair.bare.micros)),
    ];
    const counted = summaryOf(pairs.map((pair) => pair.mock.perSecond / pair.bare.perSecond));
    const ratio = (value: number) => value.toFixed(2);
    return {
      goal: name,
      figure: summaryOf(pairs.map((pair) => pair.bare.micros / pair.mock.micros)),
      unit: '×',
      detail: `${bare.median.toFixed(1)} / ${mock.median.toFixed(1)} µs of processor time per request; requests counted: ${ratio(counted.median)} (${ratio(counted.min)} to ${ratio(counted.max)})`,
    };
  } finally {
    await scene.stop();
  }
}
