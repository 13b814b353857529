import { nodeEnvironment } from '../../conformance/client/node-environment.ts';
import { memoryJournal } from '../../conformance/journal/write-journal.ts';
import { createServedMock } from '../../mock/adapters/create-served-mock.ts';
import type { Mock } from '../../mock/create-mock.ts';
import type { TenantSeed } from '../../mock/seed/schema.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { Profile } from '../../spec/files/profile-schema.ts';
import type { Target, TargetTenant } from '../../spec/files/target.ts';
import type { Side } from '../side.ts';

/** The labels of a tenant by the names that they have in a fixture, which may be made ones. */
function withNamesOf({ labels }: Pick<TenantSeed, 'labels'>, tenant: TargetTenant): TargetTenant {
  return JSON.parse(JSON.stringify(tenant), (_, value) => {
    const own = labels.find(({ id }) => id === value?.id);
    return own === undefined ? value : { ...value, name: own.name };
  });
}

/** The target file of a mock with these tenants: with the records of the deployment, and keys of the same names. Keys that they lack are added. */
export function describedLike(target: Target, mock: Mock, seeds: readonly TenantSeed[], baseUrl: string): Target {
  const seedOf = (tenant: TargetTenant) => seeds.find((seed) => seed.tenant === tenant.name);
  const tenants = target.tenants.map((tenant) => ({
    ...withNamesOf(seedOf(tenant) ?? { labels: [] }, tenant),
    keys: tenant.keys.map((key) => {
      const own = seedOf(tenant)?.keys.find(({ name }) => name === key.name);
      if (own !== undefined) return { ...key, secret: own.secret };
      const { id } = mock.keys.add(tenant.name, key.secret, key);
      if (key.revoked) mock.keys.revoke(id);
      return key;
    }),
  }));
  const { headers: _, tls: __, ...described } = target;
  return { ...described, headers: {}, tenants, baseUrl, hooks: {} };
}

/**
 * A mock with these tenants, described by a target like that of the deployment: with the same records, and keys of the same names.
 * @throws ConfigurationError if a tenant of the target is not among them
 */
export async function mockSide(
  target: Target,
  seeds: readonly TenantSeed[],
  profile: Profile = {},
): Promise<Side & AsyncDisposable> {
  const lacking = target.tenants.filter(({ name }) => !seeds.some(({ tenant }) => tenant === name));
  if (lacking.length > 0)
    throw new ConfigurationError(
      lacking.map(
        ({ name }) =>
          `--fixtures: there is no tenant ${name}, which the target file has; \`partnerkit fixtures from TARGET\` writes it`,
      ),
    );
  const mock = await createServedMock({
    seeds,
    profile: { ...profile, operations: { ...target.operations, ...profile.operations } },
    rateLimit: false,
    journal: false,
  });
  const { url } = await mock.listen({ port: 0, control: false });
  const environment = nodeEnvironment();
  return {
    target: describedLike(target, mock, seeds, url),
    environment,
    journal: memoryJournal(),
    async [Symbol.asyncDispose]() {
      environment.close();
      await mock.close();
    },
  };
}
