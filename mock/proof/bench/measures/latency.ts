import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Measurement } from '../report/measurement.ts';
import { summaryOf } from '../report/summary.ts';
import { setScene } from '../server/scene.ts';
import type { ServerProcess } from '../server/server-process.ts';
import type { Fire } from '../traffic/fire.ts';
import type { Rounds } from './throughput.ts';

const client = fileURLToPath(new URL('../traffic/paced-client.ts', import.meta.url));

/** The p99 of GET context, at half of the rate that the mock reached in this run. Both servers get the same rate. */
export async function latency(fire: Fire, { rounds, duration }: Rounds): Promise<Measurement> {
  const scene = await setScene('context');
  try {
    await fire(scene.shot(scene.mock, duration));
    await fire(scene.shot(scene.bare, duration));
    const { perSecond } = await fire(scene.shot(scene.mock, duration));
    const rate = Math.round(perSecond / 2);
    const paced = async (server: ServerProcess): Promise<number> => {
      const { url, method, headers } = scene.shot(server, duration);
      const args = [client, url, method, JSON.stringify(headers), String(rate), String(duration)];
      const { replies, total, p99 } = JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
      if (replies < total) throw new Error(`${total - replies} of ${total} requests had no reply in time`);
      return p99;
    };
    const pairs = [];
    for (let i = 0; i < rounds; i++) pairs.push({ mock: await paced(scene.mock), bare: await paced(scene.bare) });
    const [mock, bare] = [summaryOf(pairs.map((pair) => pair.mock)), summaryOf(pairs.map((pair) => pair.bare))];
    return {
      goal: 'p99',
      figure: summaryOf(pairs.map((pair) => pair.mock / pair.bare)),
      unit: '×',
      detail: `${mock.median.toFixed(2)} / ${bare.median.toFixed(2)} ms at ${rate} requests a second`,
    };
  } finally {
    await scene.stop();
  }
}
