import { seededRandom } from '../../../random.ts';
import type { Observation } from '../../observation.ts';
import type { LimiterModel } from './limiters.ts';
import type { Network } from './networks.ts';
import type { Plan } from './plans.ts';

const GIVES_UP_AFTER = 3000;

/** The observations that a client makes of a limiter through a network, in virtual time; the same seed gives the same run. */
export function simulate(plan: Plan, network: Network, model: LimiterModel, seed: number): Observation[] {
  const random = seededRandom(seed);
  const limiter = model.make(random);
  const requests = plan.map((sentAt) => {
    const { there, back, lost } = network(random);
    return { sentAt, decidedAt: sentAt + there, back, lost };
  });
  requests.sort((a, b) => a.decidedAt - b.decidedAt);
  return requests.map(({ sentAt, decidedAt, back, lost }): Observation => {
    const admitted = lost !== 'request' && limiter(decidedAt);
    if (lost !== undefined) return { sentAt, doneAt: sentAt + GIVES_UP_AFTER, status: 0 };
    return { sentAt, doneAt: decidedAt + back, status: admitted ? 200 : 429 };
  });
}
