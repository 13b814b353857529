import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { control, type Exchange, type FileRecord, type Target, type TenantData } from './control.ts';

interface ReadOptions {
  /** Milliseconds between two reads. Without it the value is read once, by each view that shows it. */
  readonly every?: number;
  /** False while something that the read needs is not known. */
  readonly when?: boolean;
  /** What is shown until it is read. */
  readonly placeholderData?: typeof keepPreviousData;
}

/** A value of the mock, read again and again. @param key names the value; views that name it alike share it */
export const useRead = <T>(
  key: readonly unknown[],
  read: () => Promise<T>,
  { every, when, ...options }: ReadOptions = {},
) =>
  useQuery<T>({
    queryKey: key,
    queryFn: read,
    ...options,
    ...(when !== undefined && { enabled: when }),
    ...(every === undefined ? { staleTime: 30_000, gcTime: 0 } : { refetchInterval: every }),
  });

export const useTenants = () => useRead(['tenants'], control.tenants, { every: 5_000 });
export const useClock = () => useRead(['clock'], control.clock, { every: 1_000 });
export const useFaults = () => useRead(['faults'], control.faults, { every: 1_000 });
export const useWrong = () => useRead(['wrong'], control.wrong, { every: 2_000 });
/** The keys of a tenant, once one is chosen. */
export const useKeys = (tenant: string | null) =>
  useRead(['keys', tenant], () => control.keys(tenant ?? ''), { every: 3_000, when: tenant !== null });

/** The records of a tenant. @param text only those whose id or name contains it */
export const useTenantData = (tenant: string | null, text = '') =>
  useRead(['tenant', tenant, text], () => control.tenant(tenant ?? '', text), {
    every: 2_000,
    when: tenant !== null,
    placeholderData: keepPreviousData,
  });

export type TargetTenant = Target['tenants'][number];

/** Working keys whose secrets are documented fakes. For all other keys the mock has only a hash. */
export const knownKeys = (tenant: TargetTenant | undefined) =>
  (tenant?.keys ?? []).filter(({ secret, revoked }) => !secret.startsWith('${') && !revoked);

/** The known keys of a tenant, by default the first one. The list is empty until the target file is loaded. */
export function useKnownKeys(tenant?: string) {
  const { data: target } = useRead(['target'], control.target, { every: 5_000 });
  return knownKeys(target?.tenants.find(({ name }) => tenant === undefined || name === tenant));
}

/** Maps `tenant id` to a name that people recognise: a subject, an address or a person's name. */
export type RecordNames = ReadonlyMap<string, string>;

export const nameKey = (tenant: string | null, id: string) => `${tenant} ${id}`;

/** The names of all records and files of the tenants in these exchanges. */
export function useRecordNames(exchanges: readonly Exchange[]): RecordNames {
  const tenants = useMemo(() => [...new Set(exchanges.flatMap(({ tenant }) => tenant ?? []))], [exchanges]);
  return useQueries({
    queries: tenants.map((tenant) => ({
      queryKey: ['names', tenant],
      queryFn: () => Promise.all([control.tenant(tenant), control.files(tenant)]),
      refetchInterval: 5_000,
    })),
    combine: mapOfNames,
  });
}

/** A file that was not registered is named by its site. */
const mapOfNames = (results: readonly { readonly data: [TenantData, FileRecord[]] | undefined }[]) =>
  new Map(
    results.flatMap(({ data: [data, files] = [null, []] }) => {
      const named = new Map(data && namesOf(data));
      for (const { fileKey, name, site } of files) named.set(fileKey, name ?? named.get(site) ?? site);
      return [...named].map(([id, name]) => [nameKey(data?.name ?? null, id), name] as const);
    }),
  );

/** The names of records and labels by their ids. */
export function namesOf({ records: { conversations, sites, clients, labels } }: TenantData): [string, string][] {
  const named = [
    ...conversations.map(({ id, subject, friendlyId }) => [id, subject ?? friendlyId] as const),
    ...sites.map(({ id, businessName, address1 }) => [id, businessName ?? address1] as const),
    ...[...clients, ...labels].map(({ id, name }) => [id, name] as const),
  ];
  return named.flatMap(([id, name]) => (name === null ? [] : [[id, name]]));
}

/**
 * A call that changes the mock. The reply is not cached, because it may hold a secret. After a success all queries are repeated. A call
 * before the mock has replied to the one before does nothing. The button stays enabled meanwhile, because a focused button that is
 * disabled loses the focus. `failure` says why the last run failed.
 */
export function useAction<A extends unknown[]>(act: (...args: A) => Promise<unknown>) {
  const client = useQueryClient();
  const busy = useRef(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const run = async (...args: A) => {
    if (busy.current) return;
    busy.current = true;
    setFailure(null);
    try {
      await act(...args);
      // The page may take a while to show it; the next click need not wait for that.
      void client.invalidateQueries();
    } catch (error) {
      const unreachable = new Error('The mock cannot be reached; is it still running?');
      setFailure(error instanceof Error && !(error instanceof TypeError) ? error : unreachable);
    } finally {
      busy.current = false;
    }
  };
  return { run, failure };
}
