import { faults } from './faults.ts';
import { freedoms } from './freedoms.ts';
import type { Variation, Variations } from './variation.ts';

const named = (kind: Variation['kind'], all: Variations) =>
  Object.entries(all).map(([id, one]): Variation => ({ ...one, id, kind }));

/** All variations. */
export const variations: readonly Variation[] = [...named('freedom', freedoms), ...named('fault', faults)];
