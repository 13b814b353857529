import type { Target } from '../../../spec/files/target.ts';
import type { Scope } from '../../../spec/operations.ts';

/** A target file with a single spare label for each tenant. */
export const oneSpare = (target: Target): Target => ({
  ...target,
  tenants: target.tenants.map(({ spareLabels: _, ...tenant }) => tenant),
});

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
