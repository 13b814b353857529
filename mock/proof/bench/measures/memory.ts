import { acme } from '../../acme.ts';
import type { Measurement } from '../report/measurement.ts';
import { summaryOf } from '../report/summary.ts';
import { preparePackage, program, startProgram } from '../server/program.ts';
import type { Fire } from '../traffic/fire.ts';

const megabyte = 1024 * 1024;
const high = ['--rate', '1000000000', '--burst', '1000000000'];

/** The memory of `partnerkit mock` after this many requests, with a full journal and without a forced garbage collection. */
export async function memory(fire: Fire, requests: number): Promise<Measurement> {
  preparePackage();
  const mock = await startProgram([program, 'mock', '--port', '0', '--quiet', ...high]);
  try {
    const url = `${mock.url}/v1/conversation/${acme.open}/context`;
    const before = await mock.resident();
    let sent = 0;
    let most = 0;
    while (sent < requests) {
      const { requests: answered, refused } = await fire({
        url,
        method: 'GET',
        headers: { 'x-api-key': acme.full },
        duration: 5,
      });
      if (answered === 0 || refused > 0) throw new Error(`${refused} of ${answered} requests were refused`);
      sent += answered;
      most = Math.max(most, await mock.resident());
    }
    const inMegabytes = (bytes: number) => Math.round(bytes / megabyte);
    return {
      goal: 'memory',
      figure: summaryOf([(await mock.resident()) / megabyte]),
      unit: 'MB',
      detail: `${sent.toLocaleString('en')} requests; ${inMegabytes(before)} MB at the start, ${inMegabytes(most)} MB at most`,
    };
  } finally {
    await mock.stop();
  }
}
