import { z } from 'zod';
import { closedObject } from '../../spec/files/closed-object.ts';
import { parsed } from '../../spec/files/shape-problems.ts';
import { latestInstant } from '../clock.ts';
import { instant, storedKey } from '../keys/stored-key.ts';
import { type TenantSeed, tenantSeed } from '../seed/schema.ts';

/** The version of this format. A mock reads no other version. */
const snapshotVersion = 1;

const name = z.string().min(1);
const labels = z.array(name.toLowerCase());
/** `seedFromDocument` checks the records of a tenant, record by record. */
const records = z.custom<TenantSeed>();

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
    /** Null if the bytes are only in the mock's file store. */
    content: z.base64('must be Base64').nullable(),
  }).nullable(),
  registered: closedObject({ name: z.string().optional(), size: z.int().min(0), at: instant }).nullable(),
});

/** The changes of one tenant since its seed. */
const tenant = closedObject({
  name: tenantSeed.shape.tenant,
  /** For a copied tenant: its original, and its first state. */
  clone: closedObject({ from: name, seed: records, keys: z.array(storedKey) }).nullable(),
  /** The records, without keys, if a test has changed them. */
  records: records.nullable(),
  /** All labels, with private ones, of the records whose labels were changed. */
  labels: z.array(
    z.union(
      [
        closedObject({ conversation: name, labels }),
        closedObject({ site: name, labels }),
        closedObject({ client: name, site: name, labels }),
      ],
      'must be {conversation, labels}, {site, labels} or {client, site, labels}',
    ),
  ),
  files: z.array(file),
  keys: z.array(storedKey),
});

const snapshot = closedObject({
  version: z.literal(snapshotVersion, `must be ${snapshotVersion}, the only version that this mock reads`),
  /** ISO date-time by the mock's clock. */
  takenAt: z.string(),
  /** How many milliseconds the clock was ahead of real time, and the time at which it was frozen, if it was. */
  clock: closedObject({
    // With this limit no reply needs a date after the year 9999 for the next two centuries.
    offset: z
      .number()
      .min(0)
      .max(7_800 * 365 * 86_400_000),
    frozenAt: z.number().min(0).max(latestInstant).nullable(),
  }),
  tenants: z.array(tenant),
  /** Removed tenants of seeds. A seed in neither list is new and gets its first state. */
  removed: z.array(name),
});

/** The whole state of a mock without its seeds, as JSON. Buckets, faults and the journal are not included. */
export type Snapshot = z.infer<typeof snapshot>;
export type SnapshotTenant = z.infer<typeof tenant>;
export type SnapshotFile = z.infer<typeof file>;

/** Checks the shape of a snapshot. @throws ConfigurationError with every problem and its place */
export const parseSnapshot = (value: unknown, where: string): Snapshot => parsed(snapshot, value, where);
