import type { Target } from '../../../spec/files/target.ts';
import type { Scope } from '../../../spec/operations.ts';

/** A target file with a single spare label for each tenant. */
export const oneSpare = (target: Target): Target => ({
  ...target,
  tenants: target.tenants.map(({ spareLabels: _, ...tenant }) => tenant),
});

/** A target file whose first tenant has a client with two links. */
export const twoLinks = ({ tenants: [tenant, ...others], ...target }: Target): Target => {
  const client = 'ovcid-c11e0003-0000-4000-8000-000000000003';
  const links = {
    clientSite: { client, site: 'ovaid-517e0001-0000-4000-8000-000000000001' },
    otherClientSite: { client, site: '10042' },
  };
  const privateLabels = tenant?.privateLabels?.map((one) => ({
    ...one,
    on: one.on?.filter((on) => on !== 'clientSite'),
  }));
  return { ...target, tenants: [...(tenant ? [{ ...tenant, ...links, privateLabels }] : []), ...others] };
};

/** A target file whose key for the measurement may also do this. */
export const measuredMay =
  (scope: Scope) =>
  ({ tenants, ...target }: Target): Target => ({
    ...target,
    tenants: tenants.map((tenant) => ({
      ...tenant,
      keys: tenant.keys.map((key) => (key.use === 'limits' ? { ...key, scopes: [...key.scopes, scope] } : key)),
    })),
  });

/** A target file whose first tenant has another label in the place of its first spare label. */
export const otherSpareFirst = ({ tenants: [tenant, ...others], ...target }: Target): Target => {
  const [first, ...more] = tenant?.spareLabels ?? [];
  const swapped = tenant && { ...tenant, spareLabel: first, spareLabels: more };
  return { ...target, tenants: [...(swapped ? [swapped] : []), ...others] };
};

/** A target file whose second tenant has a revoked key. */
export const revokedOfTheirs = ({ tenants, ...target }: Target): Target => ({
  ...target,
  tenants: tenants.map((tenant, i) => {
    const [key] = i === 1 ? tenant.keys : [];
    const revoked = key && { ...key, name: 'old', secret: 'globexold-fake-secret-0000000000000009', revoked: true };
    return { ...tenant, keys: [...tenant.keys, ...(revoked ? [revoked] : [])] };
  }),
});

/** A target file that describes some operations otherwise. */
export const describedAs =
  (operations: Target['operations']) =>
  (target: Target): Target => ({ ...target, operations: { ...target.operations, ...operations } });
