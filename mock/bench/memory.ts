import type { Fire } from './fire.ts';
import type { Measurement } from './measurement.ts';
import { setScene } from './scene.ts';
import { summaryOf } from './summary.ts';

const megabyte = 1024 * 1024;

/** What the mock holds after that many requests, the journal full: as it is, not after a collection that nobody asks for. */
export async function memory(fire: Fire, requests: number): Promise<Measurement> {
  const scene = await setScene('context');
  try {
    const before = await scene.mock.usage();
    let sent = 0;
    let most = 0;
    while (sent < requests) {
      sent += (await fire(scene.shot(scene.mock, 5))).requests;
      most = Math.max(most, (await scene.mock.usage()).resident);
    }
    const { resident, heap } = await scene.mock.usage();
    const inMegabytes = (bytes: number) => Math.round(bytes / megabyte);
    return {
      goal: 'memory',
      figure: summaryOf([resident / megabyte]),
      unit: 'MB',
      detail: `${sent.toLocaleString('en')} requests; ${inMegabytes(before.resident)} MB at the start, ${inMegabytes(most)} MB at most, ${inMegabytes(heap)} MB of heap`,
    };
  } finally {
    await scene.stop();
  }
}
