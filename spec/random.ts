import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { mersenne } from 'pure-rand/generator/mersenne';

/** Returns the next number in [0, 1) of a seeded sequence. */
export type Random = () => number;

/** The same seed gives the same sequence on every machine. */
export function seededRandom(seed: number): Random {
  const generator = mersenne(seed);
  return () => uniformFloat64(generator);
}
