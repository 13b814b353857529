import { type Agent, request } from 'node:http';
import type { Limit } from '../../../spec/limiter/limit.ts';
import { measurement } from '../../../spec/limiter/measurement.ts';
import type { Observation } from '../../../spec/limiter/observation.ts';
import { volleySize } from '../../../spec/limiter/phase.ts';
import { operations } from '../../../spec/limiter/proof/limiters.ts';
import type { Network } from '../../../spec/limiter/proof/simulation/networks.ts';
import { sendTimes } from '../../../spec/limiter/send-times.ts';
import { seededRandom } from '../../../spec/random.ts';

/** Milliseconds: who does not answer until then gave no answer. */
const timeoutMs = 30_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** Sends a whole measurement to a gateway over real sockets and through a network, in real time, from `delayMs` on. */
export async function observe(
  url: string,
  limit: Limit,
  { network, seed, agent, delayMs }: { network: Network; seed: number; agent: Agent; delayMs: number },
): Promise<readonly Observation[]> {
  const random = seededRandom(seed);
  const { times } = sendTimes(measurement(limit).flatMap(({ phases }) => phases));
  const begin = performance.now() + delayMs;
  return Promise.all(
    times.map(async (seconds, index) => {
      // The first volley is of one operation, as k6 sends it.
      const operation = operations[index < volleySize(limit) ? 0 : index % operations.length] ?? '';
      const { there, back } = network(random);
      await pause(begin + seconds * 1000 - performance.now());
      const sentAt = performance.now();
      await pause(there);
      const status = await ask(`${url}/${operation}`, agent);
      await pause(back);
      return { sentAt, doneAt: performance.now(), status, operation };
    }),
  );
}

function ask(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const clientRequest = request(url, { agent, timeout: timeoutMs }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    clientRequest.on('timeout', () => clientRequest.destroy());
    clientRequest.on('error', () => resolve(0));
    clientRequest.end();
  });
}
