import type { TenantSeed } from './schema.ts';

/** A tenant and its file. */
export type LocatedSeed = { readonly where: string; readonly seed: TenantSeed };

/**
 * Conflicts between tenants, a line for each: two tenants with the same name, or a secret in two tenants (a key belongs to
 * one tenant). Records of different tenants may have the same id.
 */
export function tenantsProblems(tenants: readonly LocatedSeed[]): string[] {
  const problems: string[] = [];
  const whereOfName = new Map<string, string>();
  const keyOfSecret = new Map<string, { tenant: TenantSeed; name: string }>();
  for (const { where, seed } of tenants) {
    const other = whereOfName.get(seed.tenant);
    if (other === undefined) whereOfName.set(seed.tenant, where);
    else problems.push(`${where}: tenant: "${seed.tenant}" is already the tenant of ${other}; rename one`);
    for (const [index, { name, secret }] of seed.keys.entries()) {
      const key = keyOfSecret.get(secret);
      if (key === undefined) keyOfSecret.set(secret, { tenant: seed, name });
      else if (key.tenant !== seed) {
        const place = `keys[${index}].secret`;
        problems.push(`${where}: ${place}: this secret is already used by key "${key.name}" of ${key.tenant.tenant}`);
      }
    }
  }
  return problems;
}
