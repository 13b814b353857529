import type { TenantSeed } from '../../mock/index.ts';

/** The same tenant with that many keys, which can only read conversations. Their secrets are fake. */
export const fleetSeed = (seed: TenantSeed, keys: number): TenantSeed => ({
  ...seed,
  keys: Array.from({ length: keys }, (_, index) => {
    const number = String(index + 1).padStart(4, '0');
    return {
      name: `fleet-${number}`,
      secret: `fleet${number}-fake-secret-000000000000${number}`,
      scopes: ['conversation:read'],
    };
  }),
});
