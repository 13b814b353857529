import { useEffect } from 'react';
import { useTenants } from '../control/reads.ts';
import { replaceParams, useRoute } from './route.ts';

let last: string | null = null;

/**
 * The tenant that a view shows: the one in the URL, else the last one shown, else the first of the list.
 * Null until the tenants are loaded, and if there are none.
 */
export function useTenant(): string | null {
  const { params } = useRoute();
  const { data: tenants } = useTenants();
  const known = (name: string | null) => (tenants?.some((tenant) => tenant.name === name) ? name : null);
  const tenant = known(params.get('tenant')) ?? known(last) ?? tenants?.[0]?.name ?? null;
  useEffect(() => {
    if (tenant === null) return;
    last = tenant;
    if (params.get('tenant') !== tenant) replaceParams({ tenant });
  }, [tenant, params]);
  return tenant;
}

export const chooseTenant = (tenant: string) => replaceParams({ tenant, key: null });
