import type { Random } from '../../../random.ts';

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
