import { strictObject, z } from 'zod';
import { listOf } from '../../spec/files/list-of.ts';
import { scope } from '../../spec/files/operation-override.ts';

/** Milliseconds since the epoch, up to the year 9999. */
export const instant = z.number().min(0).max(253_402_300_799_000);
const name = z.string().min(1);

/** A key without its secret, of which only the hash and the first eight characters are kept. */
export const storedKey = strictObject({
  id: name,
  name,
  prefix: z.string().min(1).max(8),
  /** SHA-256 of the secret, in hex. */
  hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex'),
  scopes: listOf(scope),
  /** The key's own limit; null means the default of the mock. */
  rateLimit: strictObject({ perSecond: z.number().positive(), burst: z.int().positive() }).nullable(),
  revoked: z.boolean(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
  revokedAt: instant.nullable().default(null),
});

/** A key as it is kept at rest. */
export type StoredKey = z.infer<typeof storedKey>;
