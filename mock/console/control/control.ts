import { ControlFailure } from './control-failure.ts';
import { controlToken } from './control-token.ts';
import type {
  ClientReport,
  ClockState,
  ClonedTenant,
  Exchange,
  Fault,
  FaultSpec,
  FileRecord,
  Key,
  Label,
  Limit,
  LimitDetail,
  RateLimit,
  RecordData,
  RevealedKey,
  Target,
  TenantData,
  TenantSummary,
} from './control-types.ts';

interface JournalSize {
  readonly kept: number;
  readonly dropped: number;
  readonly bytes: number;
}

/** The query parameters of `GET /_mock/journal`. */
export interface JournalQuery {
  readonly tenant?: string;
  readonly key?: string;
  /** `*` matches any text. */
  readonly path?: string;
  /** Returns only the newest exchanges, at most this many. */
  readonly limit?: number;
}

/** A mock may hold a million records, and nobody reads a longer list. */
export const maxRecords = 200;

const encoded = encodeURIComponent;

/** Calls the control API. @throws ControlFailure for an error reply, TypeError if the mock cannot be reached */
async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`/_mock${path}`, {
    method,
    headers: { ...controlToken.headers(), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
  throw failureOf(response.status, text);
}

function failureOf(status: number, text: string): ControlFailure {
  try {
    const { error } = JSON.parse(text) as { error: { message: string; problems?: string[] } };
    return new ControlFailure(status, error.message, error.problems);
  } catch {
    return new ControlFailure(status, `The mock answered ${status}.`);
  }
}

const labelPath = (tenant: string, holder: string, label: string) =>
  `/tenants/${encoded(tenant)}/${holder}/label/${encoded(label)}`;

/** One function for each call of the control API. */
export const control = {
  health: () => ask<{ tenants: number; journal: JournalSize }>('GET', '/health'),
  contract: () => ask<unknown>('GET', '/openapi.json'),
  client: () => ask<{ report: ClientReport | null }>('GET', '/client').then(({ report }) => report),
  target: () => ask<Target>('GET', '/target?format=json&copies=true'),

  keys: (tenant: string) => ask<{ keys: Key[] }>('GET', `/keys?tenant=${encoded(tenant)}`).then(({ keys }) => keys),
  createKey: (key: { tenant: string; name: string; scopes: string[]; rateLimit?: RateLimit }) =>
    ask<RevealedKey>('POST', '/keys', key),
  editKey: (id: string, edit: { scopes: string[]; rateLimit: RateLimit | null }) =>
    ask<Key>('PATCH', `/keys/${encoded(id)}`, edit),
  regenerateKey: (id: string) => ask<RevealedKey>('POST', `/keys/${encoded(id)}/regenerate`),
  revokeKey: (id: string) => ask<Key>('POST', `/keys/${encoded(id)}/revoke`),
  limits: (tenant: string) =>
    ask<{ limits: Limit[] }>('GET', `/limits?tenant=${encoded(tenant)}`).then(({ limits }) => limits),
  limit: (id: string) => ask<LimitDetail>('GET', `/limits/${encoded(id)}`),

  journal: (query: JournalQuery) =>
    ask<{ exchanges: Exchange[] }>(
      'GET',
      `/journal?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
    ),
  exchange: (id: number) => ask<Exchange>('GET', `/journal/${id}`),
  clearJournal: () => ask<void>('DELETE', '/journal'),

  tenants: () => ask<{ tenants: TenantSummary[] }>('GET', '/tenants').then(({ tenants }) => tenants),
  /** At most `maxRecords` of each kind. @param text returns only records whose id or name contains it */
  tenant: (name: string, text = '') =>
    ask<TenantData>('GET', `/tenants/${encoded(name)}?limit=${maxRecords}${text && `&text=${encoded(text)}`}`),
  /** @param path for example `conversation/<id>` */
  record: (tenant: string, path: string) => ask<RecordData>('GET', `/tenants/${encoded(tenant)}/${path}`),
  cloneTenant: (from: string, name?: string) => ask<ClonedTenant>('POST', '/tenants', { from, ...(name && { name }) }),
  removeTenant: (name: string) => ask<void>('DELETE', `/tenants/${encoded(name)}`),
  files: (tenant: string) =>
    ask<{ files: FileRecord[] }>('GET', `/files?tenant=${encoded(tenant)}`).then(({ files }) => files),
  file: (fileKey: string) => ask<FileRecord>('GET', `/files/${encoded(fileKey)}`),
  async content(fileKey: string): Promise<Blob> {
    const response = await fetch(`/_mock/files/${encoded(fileKey)}/content`, { headers: controlToken.headers() });
    if (!response.ok) throw failureOf(response.status, await response.text());
    return response.blob();
  },
  labels: (tenant: string, holder: string) =>
    ask<{ labels: Label[] }>('GET', `/tenants/${encoded(tenant)}/${holder}/labels`).then(({ labels }) => labels),
  /** @param holder for example `conversation/<id>` */
  applyLabel: (tenant: string, holder: string, label: string) =>
    ask<{ labels: Label[] }>('PUT', labelPath(tenant, holder, label)),
  removeLabel: (tenant: string, holder: string, label: string) =>
    ask<{ labels: Label[] }>('DELETE', labelPath(tenant, holder, label)),
  reset: (tenant?: string) => ask<void>('POST', '/reset', tenant === undefined ? {} : { tenant }),
  /** @param snapshot as it was downloaded */
  restore: (snapshot: string) => ask<void>('POST', '/restore', snapshot),

  clock: () => ask<ClockState>('GET', '/clock'),
  advanceClock: (by: string) => ask<ClockState>('POST', '/clock/advance', { by }),
  freezeClock: (instant?: string) => ask<ClockState>('POST', '/clock/freeze', instant ? { at: instant } : {}),
  resetClock: () => ask<ClockState>('POST', '/clock/reset'),

  faults: () => ask<{ faults: Fault[] }>('GET', '/faults').then(({ faults }) => faults),
  addFault: (spec: FaultSpec) => ask<Fault>('POST', '/faults', spec),
  removeFault: (id: string) => ask<void>('DELETE', `/faults/${encoded(id)}`),
  clearFaults: () => ask<void>('DELETE', '/faults'),
};
