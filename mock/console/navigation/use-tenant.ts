import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { control } from '../control/control.ts';
import { replaceParams, useRoute } from './route.ts';

let last: string | null = null;

/**
 * The tenant that a view is about: the one in the address, else the one that was looked at last, else the first.
 * Null until the tenants are known, and where there is none at all.
 */
export function useTenant(): readonly [tenant: string | null, choose: (tenant: string) => void] {
  const { params } = useRoute();
  const { data: tenants } = useQuery({ queryKey: ['tenants'], queryFn: control.tenants, refetchInterval: 5_000 });
  const known = (name: string | null) => (tenants?.some((tenant) => tenant.name === name) ? name : null);
  const tenant = known(params.get('tenant')) ?? known(last) ?? tenants?.[0]?.name ?? null;
  useEffect(() => {
    if (tenant === null) return;
    last = tenant;
    if (params.get('tenant') !== tenant) replaceParams({ tenant });
  }, [tenant, params]);
  return [tenant, (next) => replaceParams({ tenant: next })];
}
