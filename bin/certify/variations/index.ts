import { faults } from './faults.ts';
import { freedoms } from './freedoms.ts';
import type { Variation } from './variation.ts';

/** Everything that is varied. */
export const variations: readonly Variation[] = [...freedoms, ...faults];
