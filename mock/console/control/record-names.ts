import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { control } from './control.ts';
import type { TenantData } from './control-types.ts';

/** Maps `tenant id` to a name that people recognise: a subject, an address or a person's name. */
export type RecordNames = ReadonlyMap<string, string>;

export const nameKey = (tenant: string | null, id: string) => `${tenant} ${id}`;

/** The names of all records of these tenants that have a name. */
export function useRecordNames(tenants: readonly string[]): RecordNames {
  const data = useQueries({
    queries: tenants.map((tenant) => ({
      queryKey: ['tenant', tenant],
      queryFn: () => control.tenant(tenant),
      staleTime: 30_000,
    })),
    combine: (results) => results.map((result) => result.data),
  });
  return useMemo(() => new Map(data.flatMap((known) => (known === undefined ? [] : namesOf(known)))), [data]);
}

function namesOf({ name: tenant, records }: TenantData): [string, string][] {
  const { conversations, sites, clients, labels } = records;
  const named = [
    ...conversations.map(({ id, subject, friendlyId }) => [id, subject ?? friendlyId] as const),
    ...sites.map(({ id, businessName, address1 }) => [id, businessName ?? address1] as const),
    ...clients.map(({ id, name }) => [id, name] as const),
    ...labels.map(({ id, name }) => [id, name] as const),
  ];
  return named.flatMap(([id, name]) => (name === null ? [] : [[nameKey(tenant, id), name]]));
}
