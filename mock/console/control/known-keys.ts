import { useQuery } from '@tanstack/react-query';
import { control } from './control.ts';
import type { Target } from './control-types.ts';

export type TargetTenant = Target['tenants'][number];

/** Keys whose secrets are documented fakes; of all others the mock knows only a hash. */
export const knownKeys = (tenant: TargetTenant | undefined) =>
  (tenant?.keys ?? []).filter(({ secret, revoked }) => !secret.startsWith('${') && !revoked);

/** Those of a tenant, or of the first one; none until the target file is here. */
export function useKnownKeys(tenant?: string) {
  const { data: target } = useQuery({ queryKey: ['target'], queryFn: control.target, staleTime: 5_000 });
  return knownKeys(target?.tenants.find(({ name }) => tenant === undefined || name === tenant));
}
