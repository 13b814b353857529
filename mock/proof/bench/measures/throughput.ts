import type { Measurement } from '../report/measurement.ts';
import { summaryOf } from '../report/summary.ts';
import { type SceneName, setScene } from '../server/scene.ts';
import type { ServerProcess } from '../server/server-process.ts';
import type { Fire } from '../traffic/fire.ts';

/** The first requests are the compiler's: so many, as far as a slow machine gets. */
const warmUp = 50_000;

export interface Rounds {
  readonly rounds: number;
  /** Seconds of each. */
  readonly duration: number;
}

/**
 * What a request costs the mock, against what the same reply costs bare node:http, round by round. Judged is processor time
 * per request, all threads: it is what one core can serve, and it stays the same when others use the machine. The requests
 * that were counted stand beside it.
 */
export async function throughput(name: SceneName, fire: Fire, { rounds, duration }: Rounds): Promise<Measurement> {
  const scene = await setScene(name);
  const round = async (server: ServerProcess, seconds: number) => {
    const before = await server.usage();
    const { requests, perSecond, refused } = await fire(scene.shot(server, seconds));
    const wrong = name === 'throttled' ? requests - refused : refused;
    if (requests === 0 || wrong > requests / 1000) {
      throw new Error(`${name}: ${wrong} of ${requests} replies were not what was to be measured`);
    }
    const used = (await server.usage()).seconds - before.seconds;
    return { requests, perSecond, micros: (used / requests) * 1e6 };
  };
  try {
    for (const server of [scene.mock, scene.bare]) {
      let sent = 0;
      for (let i = 0; i < 5 && sent < warmUp; i++) sent += (await round(server, duration)).requests;
    }
    const pairs = [];
    for (let i = 0; i < rounds; i++) {
      pairs.push({ mock: await round(scene.mock, duration), bare: await round(scene.bare, duration) });
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
