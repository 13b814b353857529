import { faults } from './faults.ts';
import { freedoms } from './freedoms.ts';
import type { Variation } from './variation.ts';

/** All variations. */
export const variations: readonly Variation[] = [
  ...freedoms.map((one) => ({ ...one, kind: 'freedom' as const })),
  ...faults.map((one) => ({ ...one, kind: 'fault' as const })),
];
