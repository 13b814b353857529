import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { control } from './control.ts';
import type { Target, TenantData } from './control-types.ts';

interface ReadOptions {
  /** Milliseconds between two reads. Without it the value is read once. */
  readonly every?: number | false;
  /** False while something that the read needs is not known. */
  readonly when?: boolean;
}

/** A value of the mock, read again and again. @param key names the value; views that name it alike share it */
export const useRead = <T>(key: readonly unknown[], read: () => Promise<T>, { every, when }: ReadOptions = {}) =>
  useQuery({
    queryKey: key,
    queryFn: read,
    ...(when !== undefined && { enabled: when }),
    ...(every === undefined ? { staleTime: 30_000 } : { refetchInterval: every }),
  });

export const useTenants = () => useRead(['tenants'], control.tenants, { every: 5_000 });
export const useClock = () => useRead(['clock'], control.clock, { every: 1_000 });
export const useFaults = () => useRead(['faults'], control.faults, { every: 2_000 });
export const useWrong = () => useRead(['wrong'], control.wrong, { every: 2_000 });
export const useTarget = () => useRead(['target'], control.target, { every: 5_000 });
export const useFile = (fileKey: string, when = true) =>
  useRead(['file', fileKey], () => control.file(fileKey), { every: 2_000, when });

/** The records of a tenant. @param text only those whose id or name contains it */
export const useTenantData = (tenant: string | null, text = '') =>
  useQuery({
    queryKey: ['tenant', tenant, text],
    queryFn: () => control.tenant(tenant ?? '', text),
    enabled: tenant !== null,
    // Looking through a million records every two seconds would slow the mock.
    refetchInterval: ({ state }) => (text !== '' && (state.data?.conversations ?? 0) > 10_000 ? false : 2_000),
    placeholderData: keepPreviousData,
  });

export type TargetTenant = Target['tenants'][number];

/** Working keys whose secrets are documented fakes. For all other keys the mock has only a hash. */
export const knownKeys = (tenant: TargetTenant | undefined) =>
  (tenant?.keys ?? []).filter(({ secret, revoked }) => !secret.startsWith('${') && !revoked);

/** The known keys of a tenant, by default the first one. The list is empty until the target file is loaded. */
export function useKnownKeys(tenant?: string) {
  const { data: target } = useTarget();
  return knownKeys(target?.tenants.find(({ name }) => tenant === undefined || name === tenant));
}

/** Maps `tenant id` to a name that people recognise: a subject, an address or a person's name. */
export type RecordNames = ReadonlyMap<string, string>;

export const nameKey = (tenant: string | null, id: string) => `${tenant} ${id}`;

/** The names of all records of these tenants that have a name. */
export function useRecordNames(tenants: readonly string[]): RecordNames {
  const data = useQueries({
    queries: tenants.map((tenant) => ({
      queryKey: ['tenant', tenant, ''],
      queryFn: () => control.tenant(tenant),
      staleTime: 30_000,
    })),
    combine: (results) => results.map((result) => result.data),
  });
  return useMemo(() => {
    const known = data.filter((each) => each !== undefined);
    return new Map(known.flatMap((each) => namesOf(each).map(([id, name]) => [nameKey(each.name, id), name])));
  }, [data]);
}

/** The names of records and labels by their ids. */
export function namesOf({ records: { conversations, sites, clients, labels } }: TenantData): [string, string][] {
  const named = [
    ...conversations.map(({ id, subject, friendlyId }) => [id, subject ?? friendlyId] as const),
    ...sites.map(({ id, businessName, address1 }) => [id, businessName ?? address1] as const),
    ...[...clients, ...labels].map(({ id, name }) => [id, name] as const),
  ];
  return named.flatMap(([id, name]) => (name === null ? [] : [[id, name]]));
}
