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

/** Which exchanges are asked for, as the control API has it in a query string. */
export interface JournalQuery {
  readonly tenant?: string;
  readonly key?: string;
  /** `*` stands for anything. */
  readonly path?: string;
  /** The newest so many. */
  readonly limit?: number;
}

/** A page of more records is nobody's to read, and a mock may have a million. */
export const mostRecords = 200;

const at = (text: string) => encodeURIComponent(text);

/** One call of the control API. @throws ControlFailure in its words, or a TypeError where the mock cannot be reached. */
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
  `/tenants/${at(tenant)}/${holder}/label/${at(label)}`;

/** The control API, call by call. */
export const control = {
  health: () => ask<{ tenants: number; journal: JournalSize }>('GET', '/health'),
  contract: () => ask<unknown>('GET', '/openapi.json'),
  client: () => ask<{ report: ClientReport | null }>('GET', '/client').then(({ report }) => report),
  target: () => ask<Target>('GET', '/target?format=json'),

  keys: (tenant: string) => ask<{ keys: Key[] }>('GET', `/keys?tenant=${at(tenant)}`).then(({ keys }) => keys),
  createKey: (key: { tenant: string; name: string; scopes: string[]; rateLimit?: RateLimit }) =>
    ask<RevealedKey>('POST', '/keys', key),
  editKey: (id: string, edit: { scopes: string[]; rateLimit: RateLimit | null }) =>
    ask<Key>('PATCH', `/keys/${at(id)}`, edit),
  regenerateKey: (id: string) => ask<RevealedKey>('POST', `/keys/${at(id)}/regenerate`),
  revokeKey: (id: string) => ask<Key>('POST', `/keys/${at(id)}/revoke`),
  limits: (tenant: string) =>
    ask<{ limits: Limit[] }>('GET', `/limits?tenant=${at(tenant)}`).then(({ limits }) => limits),
  limit: (id: string) => ask<LimitDetail>('GET', `/limits/${at(id)}`),

  journal: (query: JournalQuery) =>
    ask<{ exchanges: Exchange[] }>(
      'GET',
      `/journal?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
    ),
  exchange: (id: number) => ask<Exchange>('GET', `/journal/${id}`),
  clearJournal: () => ask<void>('DELETE', '/journal'),

  tenants: () => ask<{ tenants: TenantSummary[] }>('GET', '/tenants').then(({ tenants }) => tenants),
  /** At most `mostRecords` of each kind. @param text only those that have it in id or name */
  tenant: (name: string, text = '') =>
    ask<TenantData>('GET', `/tenants/${at(name)}?limit=${mostRecords}${text && `&text=${at(text)}`}`),
  /** @param path for example `conversation/<id>` */
  record: (tenant: string, path: string) => ask<RecordData>('GET', `/tenants/${at(tenant)}/${path}`),
  cloneTenant: (from: string, name?: string) => ask<ClonedTenant>('POST', '/tenants', { from, ...(name && { name }) }),
  removeTenant: (name: string) => ask<void>('DELETE', `/tenants/${at(name)}`),
  files: (tenant: string) =>
    ask<{ files: FileRecord[] }>('GET', `/files?tenant=${at(tenant)}`).then(({ files }) => files),
  file: (fileKey: string) => ask<FileRecord>('GET', `/files/${at(fileKey)}`),
  async content(fileKey: string): Promise<Blob> {
    const response = await fetch(`/_mock/files/${at(fileKey)}/content`, { headers: controlToken.headers() });
    if (!response.ok) throw failureOf(response.status, await response.text());
    return response.blob();
  },
  labels: (tenant: string, holder: string) =>
    ask<{ labels: Label[] }>('GET', `/tenants/${at(tenant)}/${holder}/labels`).then(({ labels }) => labels),
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
  removeFault: (id: string) => ask<void>('DELETE', `/faults/${at(id)}`),
  clearFaults: () => ask<void>('DELETE', '/faults'),
};
