import { z } from 'zod';
import { closedObject } from '../../spec/files/closed-object.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { problemLine, shapeProblems } from '../../spec/files/shape-problems.ts';
import { scopes } from '../../spec/operations.ts';
import { latestInstant } from '../clock.ts';
import { type TenantSeed, tenantSeed } from '../seed/schema.ts';
import { type Snapshot, snapshotVersion } from './snapshot.ts';

const instant = z.number().min(0).max(253_402_300_799_000);
const name = z.string().min(1);

const key = closedObject({
  id: name,
  name,
  prefix: z.string().min(1).max(8),
  hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex'),
  scopes: z.array(z.enum(scopes)),
  rateLimit: closedObject({ perSecond: z.number().positive(), burst: z.int().positive() }).nullable(),
  revoked: z.boolean(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
});

const file = closedObject({
  fileKey: z.guid('must be a UUID').toLowerCase(),
  site: name,
  contentType: name,
  urlExpiresAt: instant,
  stored: closedObject({
    size: z.int().min(0),
    etag: z.string().regex(/^"[0-9a-f]{32}"$/, 'must be a quoted MD5 in hex'),
    at: instant,
    // `blob` becomes the name of a file on disk.
    blob: z.guid('must be a UUID'),
    content: z.base64('must be Base64').nullable(),
  }).nullable(),
  registered: closedObject({ name: z.string().optional(), size: z.int().min(0), at: instant }).nullable(),
});

const labelIds = z.array(name.toLowerCase());
const labels = z.record(z.string(), labelIds);

const tenant = closedObject({
  name: tenantSeed.shape.tenant,
  // `seedFromDocument` checks the seed, record by record.
  clone: closedObject({ from: name, seed: z.custom<TenantSeed>(), keys: z.array(key) }).nullable(),
  records: z.custom<TenantSeed>().nullable().optional(),
  labels: closedObject({
    conversations: labels,
    sites: labels,
    links: z.array(closedObject({ client: name, site: name, labels: labelIds })),
  }),
  files: z.array(file),
  keys: z.array(key),
});

const snapshot = closedObject({
  version: z.literal(snapshotVersion, `must be ${snapshotVersion}, the only version that this mock reads`),
  takenAt: z.string(),
  clock: closedObject({
    // With this limit no reply needs a date after the year 9999 for the next two centuries.
    offset: z
      .number()
      .min(0)
      .max(7_800 * 365 * 86_400_000),
    frozenAt: z.number().min(0).max(latestInstant).nullable(),
  }),
  tenants: z.array(tenant),
  removed: z.array(name),
});

/** Checks the shape of a snapshot. @throws ConfigurationError with every problem and its place */
export function parseSnapshot(value: unknown, where: string): Snapshot {
  const { data, error } = snapshot.safeParse(value, { reportInput: true });
  if (error) throw new ConfigurationError(shapeProblems(error).map((problem) => problemLine(where, problem)));
  return data;
}
