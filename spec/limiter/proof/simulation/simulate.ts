import { type Random, seededRandom } from '../../../random.ts';
import type { Observation } from '../../observation.ts';
import type { LimiterModel } from './limiters.ts';
import type { Network } from './networks.ts';
import type { Plan } from './plans.ts';

const GIVES_UP_AFTER = 3000;

/** What a gateway does with one request: the status, and when the reply is sent, where that is later than at once. */
export type Gateway = (at: number, operation: string) => { readonly status: number; readonly until?: number };

/** The observations that a client makes of a gateway through a network, in virtual time. */
export function observed(
  requests: readonly { readonly sentAt: number; readonly operation?: string }[],
  network: Network,
  gateway: Gateway,
  random: Random,
): Observation[] {
  const travelling = requests.map((request) => {
    const { there, back, lost } = network(random);
    return { ...request, decidedAt: request.sentAt + there, back, lost };
  });
  travelling.sort((a, b) => a.decidedAt - b.decidedAt);
  return travelling.map(({ decidedAt, back, lost, ...request }): Observation => {
    const { status, until = decidedAt } =
      lost === 'request' ? { status: 0 } : gateway(decidedAt, request.operation ?? '');
    if (lost !== undefined) return { ...request, doneAt: request.sentAt + GIVES_UP_AFTER, status: 0 };
    return { ...request, doneAt: until + back, status };
  });
}

/** What is observed of a limiter that admits or throttles; the same seed gives the same run. */
export function simulate(plan: Plan, network: Network, model: LimiterModel, seed: number): Observation[] {
  const random = seededRandom(seed);
  const admits = model.make(random);
  const requests = plan.map((sentAt) => ({ sentAt }));
  return observed(requests, network, (at) => ({ status: admits(at) ? 200 : 429 }), random);
}
