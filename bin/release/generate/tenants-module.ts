import type { TenantSeed } from '../../../mock/seed/schema.ts';

/**
 * The TypeScript module that holds the packaged tenants as plain data, so that a mock with the default tenants loads
 * no YAML, no schema and no collections, and runs in a browser.
 */
export function renderTenants(seeds: readonly TenantSeed[]): string {
  return `// Generated from fixtures/*.yaml by npm run generate; do not edit.
import type { TenantSeed } from '../schema.ts';

/** The packaged tenants. Shared by every mock of the process: only to be read. */
export const defaultSeeds: readonly TenantSeed[] = ${JSON.stringify(seeds, null, 2)};
`;
}
