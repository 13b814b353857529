import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { control } from '../control/control.ts';
import { replaceParams, useRoute } from './route.ts';

let last: string | null = null;

/**
 * The tenant that a view shows: the one in the URL, else the last one shown, else the first of the list.
 * Null until the tenants are loaded, and if there are none.
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
