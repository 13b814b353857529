import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { problemLine, shapeProblems } from '../../spec/files/shape-problems.ts';
import { type TenantSeed, tenantSeed } from './schema.ts';
import { TenantAuthor, type TenantCollections } from './tenant-author.ts';

/**
 * Writes a tenant in code:
 *
 *     const umbrella = await seedTenant('umbrella', async (db) => {
 *       const vip = await db.labels.create({ id: crypto.randomUUID(), name: 'vip', visibility: 'public' });
 *       await db.sites.create({ id: '20001', labels: [vip] });
 *     });
 *
 * @param name the tenant's name: lower-case letters, digits and hyphens
 * @param build creates the records, each before what refers to it
 * @throws ConfigurationError at the `create` that is wrong, naming the tenant, the place and the reason
 */
export async function seedTenant(
  name: string,
  build: (db: TenantCollections) => void | Promise<void>,
  description?: string,
): Promise<TenantSeed> {
  const named = tenantSeed.shape.tenant.safeParse(name, { reportInput: true });
  if (!named.success) {
    const where = `tenant ${JSON.stringify(name)}`;
    throw new ConfigurationError(shapeProblems(named.error).map((problem) => problemLine(where, problem)));
  }
  const author = new TenantAuthor(name);
  await build(author.db);
  return author.seed(name, description);
}
