import type { TargetInput } from '../spec/target.ts';

export interface FleetKey {
  readonly name: string;
  readonly secret: string;
  readonly scopes: string[];
}

/** Any number of keys with fake secrets, for a mock and for the target that describes it. */
export const fleetKeys = (count: number): FleetKey[] =>
  Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(4, '0');
    return {
      name: `fleet-${number}`,
      secret: `fleet${number}-fake-secret-000000000000${number}`,
      scopes: ['conversation:read'],
    };
  });

/** The target of a mock whose first tenant has these keys and nothing else that fleet and soak need. */
export const fleetTarget = (baseUrl: string, count: number): TargetInput => ({
  baseUrl,
  tenants: [{ name: 'acme', keys: fleetKeys(count) }],
});
