import { useQuery } from '@tanstack/react-query';
import { control } from './control.ts';
import type { Target } from './control-types.ts';

export type TargetTenant = Target['tenants'][number];

/** Working keys whose secrets are documented fakes. For all other keys the mock has only a hash. */
export const knownKeys = (tenant: TargetTenant | undefined) =>
  (tenant?.keys ?? []).filter(({ secret, revoked }) => !secret.startsWith('${') && !revoked);

/** The known keys of a tenant, by default the first one. The list is empty until the target file is loaded. */
export function useKnownKeys(tenant?: string) {
  const { data: target } = useQuery({ queryKey: ['target'], queryFn: control.target, staleTime: 5_000 });
  return knownKeys(target?.tenants.find(({ name }) => tenant === undefined || name === tenant));
}
