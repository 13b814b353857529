import type { z } from 'zod';
import type { TargetInput as Target } from '../../../spec/files/target.ts';
import type { FaultSpec } from '../../arguments/shapes.ts';
import type { clock } from '../../control/clock.ts';
import type { fault } from '../../control/faults.ts';
import type { file } from '../../control/files.ts';
import type { exchange, journalSize } from '../../control/journal.ts';
import type { key, limit, limitDetail, revealedKey } from '../../control/keys.ts';
import type { record, tenant, tenantData } from '../../control/tenants.ts';
import type { wrongNow, wrongWay } from '../../control/wrong.ts';
import type { RateLimit } from '../../keys/bucket.ts';
import type { LabelSeed as Label } from '../../seed/schema.ts';
import type { ClonedTenant } from '../../store/tenants.ts';

export type { ClonedTenant, FaultSpec, Label, RateLimit, Target };

/** The replies of the control API, as their schemas say. */

export type Key = z.output<typeof key>;
export type RevealedKey = z.output<typeof revealedKey>;
export type Limit = z.output<typeof limit>;
export type LimitDetail = z.output<typeof limitDetail>;
export type BucketMoment = LimitDetail['lastMinute'][number];
export type Exchange = z.output<typeof exchange>;
export type FileRecord = z.output<typeof file>;
/** A conversation, a site or a client. */
export type RecordData = z.output<typeof record>;
export type TenantSummary = z.output<typeof tenant>;
export type TenantData = z.output<typeof tenantData>;
export type Fault = z.output<typeof fault>;
export type ClockState = z.output<typeof clock>;
export type WrongOn = z.output<typeof wrongNow>;
export type WrongWay = z.output<typeof wrongWay>;

/** The parts of a `partnerkit certify` report that the console shows. */
export interface ClientReport {
  readonly verdict: 'certified' | 'not-certified' | 'incomplete';
  readonly sentence: string;
  readonly scopes: { readonly line: string };
  readonly operations: Readonly<Record<string, number>>;
  readonly rows: readonly ClientRow[];
  readonly exchanges: readonly ClientExchange[];
}

/** `sentAt` is by the mock's clock, in milliseconds since the epoch. The status is null if no reply arrived. */
export interface ClientExchange
  extends Readonly<Record<'method' | 'url' | 'curl', string> & Record<'n' | 'sentAt', number>> {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface ClientRow extends Readonly<Record<'id' | 'title' | 'outcome' | 'message' | 'advice', string>> {
  readonly applied: number;
  readonly broken: number;
  readonly rule: Readonly<Record<'text' | 'provenance' | 'level', string>>;
  readonly breaches: readonly Readonly<{ exchange: number; with: number[]; expected: string; observed: string }>[];
}

/** An error reply of the control API, with its message. */
export class ControlFailure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ControlFailure';
    this.status = status;
  }
}

const tokenPlace = 'partnerkit-control-token';

/** The token of the control API, which some mocks require. The browser keeps it until the tab is closed; API keys are never stored. */
export const controlToken = {
  get: (): string | null => sessionStorage.getItem(tokenPlace),
  set: (token: string): void => sessionStorage.setItem(tokenPlace, token),
  /** Headers of a request to the control API. */
  headers(): Record<string, string> {
    const token = controlToken.get();
    return token === null ? {} : { authorization: `Bearer ${token}` };
  },
};

/** A mock may hold a million records, and nobody reads a longer list. */
export const maxRecords = 200;

const encoded = encodeURIComponent;

/** Requests a path below `/_mock`. @throws ControlFailure for an error reply, TypeError if the mock cannot be reached */
async function request(method: string, path: string, body?: unknown): Promise<Response> {
  const response = await fetch(`/_mock${path}`, {
    method,
    headers: { ...controlToken.headers(), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({ error: { message: `The mock answered ${response.status}.` } }));
  throw new ControlFailure(response.status, problem.error.message);
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const text = await (await request(method, path, body)).text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** A list that the reply has under this name. */
const list = async <T>(name: string, path: string): Promise<T[]> =>
  (await ask<Record<string, T[]>>('GET', path))[name] ?? [];

const labelPath = (tenant: string, holder: string, label: string) =>
  `/tenants/${encoded(tenant)}/${holder}/label/${encoded(label)}`;

/** One function for each call of the control API. */
export const control = {
  health: () => ask<{ tenants: number; journal: z.output<typeof journalSize> }>('GET', '/health'),
  /** @param tenant whose ids the examples have; by default the first one's */
  contract: (tenant?: string) =>
    ask<Readonly<Record<string, unknown>>>('GET', `/openapi.json${tenant ? `?tenant=${encoded(tenant)}` : ''}`),
  client: () => ask<{ report: ClientReport | null; environment: Record<string, string> }>('GET', '/client'),
  target: () => ask<Target>('GET', '/target?format=json&copies=true'),

  keys: (tenant: string) => list<Key>('keys', `/keys?tenant=${encoded(tenant)}`),
  createKey: (key: { tenant: string; name: string; scopes: string[]; rateLimit?: RateLimit }) =>
    ask<RevealedKey>('POST', '/keys', key),
  editKey: (id: string, edit: { scopes: string[]; rateLimit: RateLimit | null }) =>
    ask<Key>('PATCH', `/keys/${encoded(id)}`, edit),
  regenerateKey: (id: string) => ask<RevealedKey>('POST', `/keys/${encoded(id)}/regenerate`),
  revokeKey: (id: string) => ask<Key>('POST', `/keys/${encoded(id)}/revoke`),
  limits: (tenant: string) => list<Limit>('limits', `/limits?tenant=${encoded(tenant)}`),
  limit: (id: string) => ask<LimitDetail>('GET', `/limits/${encoded(id)}`),

  exchange: (id: number) => ask<Exchange>('GET', `/journal/${id}`),
  clearJournal: () => ask<void>('DELETE', '/journal'),

  tenants: () => list<TenantSummary>('tenants', '/tenants'),
  /** At most `maxRecords` of each kind. @param text returns only records whose id or name contains it */
  tenant: (name: string, text = '') =>
    ask<TenantData>('GET', `/tenants/${encoded(name)}?limit=${maxRecords}${text && `&text=${encoded(text)}`}`),
  /** @param path for example `conversation/<id>` */
  record: (tenant: string, path: string) => ask<RecordData>('GET', `/tenants/${encoded(tenant)}/${path}`),
  cloneTenant: (from: string, name: string) => ask<ClonedTenant>('POST', '/tenants', { from, ...(name && { name }) }),
  removeTenant: (name: string) => ask<void>('DELETE', `/tenants/${encoded(name)}`),
  files: (tenant: string) => list<FileRecord>('files', `/files?tenant=${encoded(tenant)}`),
  file: (fileKey: string) => ask<FileRecord>('GET', `/files/${encoded(fileKey)}`),
  /** The bytes of a download. @param path below `/_mock` */
  bytes: async (path: string) => (await request('GET', path)).blob(),
  /** @param holder for example `conversation/<id>` */
  labels: (tenant: string, holder: string) => list<Label>('labels', `/tenants/${encoded(tenant)}/${holder}/labels`),
  applyLabel: (tenant: string, holder: string, label: string) => ask<void>('PUT', labelPath(tenant, holder, label)),
  removeLabel: (tenant: string, holder: string, label: string) => ask<void>('DELETE', labelPath(tenant, holder, label)),
  reset: (tenant?: string) => ask<void>('POST', '/reset', tenant === undefined ? {} : { tenant }),
  /** @param snapshot as it was downloaded */
  restore: (snapshot: string) => ask<void>('POST', '/restore', snapshot),

  clock: () => ask<ClockState>('GET', '/clock'),
  advanceClock: (by: string) => ask<ClockState>('POST', '/clock/advance', { by }),
  freezeClock: (instant: string) => ask<ClockState>('POST', '/clock/freeze', instant ? { at: instant } : {}),
  resetClock: () => ask<ClockState>('POST', '/clock/reset'),

  faults: () => list<Fault>('faults', '/faults'),
  addFault: (spec: FaultSpec) => ask<Fault>('POST', '/faults', spec),
  editFault: (id: string, spec: FaultSpec) => ask<Fault>('PUT', `/faults/${encoded(id)}`, spec),
  removeFault: (id: string) => ask<void>('DELETE', `/faults/${encoded(id)}`),
  clearFaults: () => ask<void>('DELETE', '/faults'),

  wrong: () => ask<{ wrong: WrongOn | null }>('GET', '/wrong').then(({ wrong }) => wrong),
  wrongWays: () => list<WrongWay>('ways', '/wrong/ways'),
  breakRule: (id: string) => ask<void>('PUT', '/wrong', { id }),
  keepRules: () => ask<void>('DELETE', '/wrong'),
};
