import { bytesOf } from '../message.ts';
import { missing } from '../mock-error.ts';
import type { Parts } from '../parts.ts';
import type { SiteFile } from '../store/site-file.ts';
import type { Tenant } from '../store/tenant.ts';

/** An upload, finished or not, without its bytes. Times are milliseconds since the epoch. */
export type FileInfo = Readonly<ReturnType<typeof info>>;

/** The uploads of a mock, for tests to read. */
export type MockFiles = ReturnType<typeof mockFiles>;

export function mockFiles({ tenants, store }: Parts) {
  const all = function* (only?: string) {
    for (const tenant of only === undefined ? tenants.values() : [tenants.existing(only)]) {
      for (const file of tenant.files.values()) yield { tenant, file };
    }
  };
  const find = (fileKey: string) => all().find(({ file }) => file.fileKey === fileKey.toLowerCase());
  const read = (fileKey: string): AsyncIterable<Uint8Array> | undefined => {
    const blob = find(fileKey)?.file.stored?.blob;
    return blob === undefined ? undefined : store.read(blob);
  };
  return {
    /** Every file of a tenant, or of all, in the order in which uploads were started. @throws MockError for an unknown tenant */
    list: (tenant?: string): FileInfo[] => [...all(tenant)].map(info),
    get(fileKey: string): FileInfo | undefined {
      const found = find(fileKey);
      return found && info(found);
    },
    /** The bytes of the last PUT in chunks; undefined if there are none. */
    read,
    /** All bytes of the last PUT. @throws MockError `missing` if there are none */
    async bytes(fileKey: string): Promise<Uint8Array> {
      return bytesOf(read(fileKey) ?? missing(`no bytes were PUT for file ${fileKey}`));
    },
  };
}

function info({ tenant, file }: { readonly tenant: Tenant; readonly file: SiteFile }) {
  const { fileKey, site, contentType, urlExpiresAt, stored, registered } = file;
  const done = registered !== null ? 'registered' : stored !== null ? 'stored' : 'started';
  return {
    fileKey,
    tenant: tenant.name,
    site,
    contentType,
    /** `started`: the URL was issued; `stored`: the bytes were PUT; `registered`: the file is on the site. */
    state: done as 'started' | 'stored' | 'registered',
    name: registered?.name ?? null,
    /** The size of the last PUT in bytes; null before the first. */
    size: stored?.size ?? null,
    etag: stored?.etag ?? null,
    urlExpiresAt,
    storedAt: stored?.at ?? null,
    registeredAt: registered?.at ?? null,
  };
}
