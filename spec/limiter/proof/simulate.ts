import { type Random, seededRandom } from '../../random.ts';
import type { Admission, Observation } from '../observation.ts';
import type { LimiterModel } from './limiters.ts';

/** One request's journey, in ms each way; `lost`: the client gives up after 3 s without an answer. */
type Journey = { readonly there: number; readonly back: number; readonly lost?: 'request' | 'reply' };
export type Network = (random: Random) => Journey;

const exponential = (random: Random, mean: number): number => -mean * Math.log(1 - random());

/** The four profiles every check must live with. */
export const networks = {
  '0 ms': (random) => ({ there: random() * 0.3, back: random() * 0.3 }),
  '80 ms': (random) => ({ there: 38 + random() * 4, back: 38 + random() * 4 }),
  '400 ms, heavy jitter': (random) => ({ there: 120 + exponential(random, 80), back: 120 + exponential(random, 80) }),
  'one in fifty 2 s late': (random) => {
    const late = random() < 0.02 ? 2000 : 0;
    const share = random();
    return { there: 20 + random() * 5 + late * share, back: 20 + random() * 5 + late * (1 - share) };
  },
} satisfies Record<string, Network>;

/** Every tenth request or its reply gets lost. */
export const losingNetwork: Network = (random) => {
  const draw = random();
  const journey = { there: 30 + random() * 20, back: 30 + random() * 20 };
  if (draw < 0.05) return { ...journey, lost: 'request' };
  return draw < 0.1 ? { ...journey, lost: 'reply' } : journey;
};

/** The instants, in ms, at which a client sends; it never waits for replies. */
export type Plan = readonly number[];

const volley = (at: number, count: number): Plan => Array.from({ length: count }, (_, i) => at + i * 0.05);

const steady = (from: number, seconds: number, rate: number): Plan =>
  Array.from({ length: Math.floor(seconds * rate) }, (_, i) => from + (i * 1000) / rate);

/** The shapes of load that scenarios and checks use. */
export const plans = {
  'volley, then overload': [...volley(0, 60), ...steady(50, 60, 15)],
  'steady overload': steady(0, 60, 15),
  paced: steady(0, 60, 10),
  'burst, idle, burst': [0, 4000, 8000].flatMap((at) => volley(at, 60)),
  // Not 5: a request at every second token falls in step with the refill, and may never meet the others of a shared bucket.
  modest: steady(0, 30, 4.9),
  'for 50 rps': [...volley(0, 250), ...steady(50, 20, 75)],
} satisfies Record<string, Plan>;

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

/** A status for each kind of admission. */
export const statusOf: Readonly<Record<Admission, number>> = {
  admitted: 200,
  throttled: 429,
  refused: 404,
  unknown: 0,
};
