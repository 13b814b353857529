import { strictObject, z } from 'zod';
import { instant } from '../keys/stored-key.ts';

const text = z.string().min(1);
const size = z.int().min(0);

/** A file of a site, from the first step of the upload flow on. Snapshots have it as it is. */
export const siteFile = strictObject({
  fileKey: z.guid('must be a UUID').toLowerCase(),
  site: text,
  contentType: text,
  urlExpiresAt: instant,
  /** The bytes of the last complete PUT; null until the first. */
  stored: strictObject({
    size,
    /** With quotes, like in the header. */
    etag: z.string().regex(/^"[0-9a-f]{32}"$/, 'must be a quoted MD5 in hex'),
    at: instant,
    /** The name of the bytes in the file store, and on disk. Every PUT has its own, whose bytes never change. */
    blob: z.guid('must be a UUID'),
  }).nullable(),
  /** Null until the file is registered. Before that it is not on the site. */
  registered: strictObject({ name: z.string().optional(), size, at: instant }).nullable(),
});

export type SiteFile = z.infer<typeof siteFile>;
export type StoredBytes = NonNullable<SiteFile['stored']>;
