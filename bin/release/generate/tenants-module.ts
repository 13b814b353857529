import { createHash } from 'node:crypto';
import type { TenantSeed } from '../../../mock/seed/schema.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** A UUID of version 8, which is for ids that are made as their maker likes. */
const idOf = (text: string) => hashOf(text).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5');

/**
 * The TypeScript module with the packaged tenants as plain data. So a mock with the default tenants loads
 * no YAML parser, schemas or collections, and runs in a browser. Their keys have ids and hashes already: Node would load all of
 * `node:crypto` for these before the first reply.
 */
export function renderTenants(seeds: readonly TenantSeed[]): string {
  const keys = seeds.flatMap(({ tenant, keys }) =>
    keys.map(({ name, secret }) => [secret, { id: idOf(`${tenant}/${name}`), hash: hashOf(secret) }] as const),
  );
  return `// Generated from fixtures/*.yaml by npm run generate; do not edit.
import type { TenantSeed } from '../schema.ts';

/** The packaged tenants. All mocks of the process share them, so they must not be changed. */
export const defaultSeeds: readonly TenantSeed[] = ${JSON.stringify(seeds, null, 2)};

/** Ids of their keys, the same in every mock, and the SHA-256 of each secret. */
export const defaultKeys: Readonly<Record<string, { readonly id: string; readonly hash: string }>> = ${JSON.stringify(Object.fromEntries(keys), null, 2)};
`;
}
