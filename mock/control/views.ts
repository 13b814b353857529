import type { Mock } from '../create-mock.ts';
import type { Exchange } from '../journal/exchange.ts';
import type { RateLimit } from '../keys/bucket.ts';
import type { ApiKey } from '../keys/key-ring.ts';
import type { FileInfo } from '../storage/mock-files.ts';
import type { Tenant } from '../store/tenant.ts';

/** Replies of the control API. Times are ISO date-times; secrets are never shown. */

export const dateTime = (instant: number) => new Date(instant).toISOString();

const dateTimeOrNull = (instant: number | null) => (instant === null ? null : dateTime(instant));

/** JSON has no Infinity, so "no limit" is null. */
const limitView = ({ perSecond, burst }: RateLimit): RateLimit | null =>
  Number.isFinite(burst) ? { perSecond, burst } : null;

export const keyView = (mock: Mock, key: ApiKey) => ({
  id: key.id,
  tenant: key.tenant,
  name: key.name,
  prefix: key.prefix,
  scopes: [...key.scopes],
  /** The limit of the key; null for no limit. */
  rateLimit: limitView(mock.keys.limitOf(key)),
  /** Whether the limit is the key's own. */
  ownRateLimit: key.rateLimit !== undefined,
  state: key.revoked ? 'REVOKED' : 'ACTIVE',
  createdAt: dateTime(key.createdAt),
  lastUsedAt: dateTimeOrNull(key.lastUsedAt),
});

export const fileView = ({ urlExpiresAt, storedAt, registeredAt, ...file }: FileInfo) => ({
  ...file,
  urlExpiresAt: dateTime(urlExpiresAt),
  storedAt: dateTimeOrNull(storedAt),
  registeredAt: dateTimeOrNull(registeredAt),
});

export const exchangeView = ({ at, ...exchange }: Exchange) => ({ ...exchange, at: dateTime(at) });

export const tenantView = (mock: Mock, { name, records, files, clonedFrom }: Tenant) => ({
  name,
  description: records.seed.description ?? null,
  clonedFrom,
  keys: mock.keys.list(name).length,
  conversations: records.conversations.size,
  sites: records.sites.size,
  clients: records.clients.size,
  links: records.links.size,
  labels: records.labels.size,
  files: files.size,
});

export const clockView = ({ clock }: Mock) => ({
  now: dateTime(clock.now()),
  frozen: clock.frozen,
  /** How many milliseconds the clock is ahead of real time. */
  offset: Math.round(clock.offset),
});
