import type { TenantData } from '../control/control-types.ts';
import { shortId } from '../parts/words.ts';

/** A record with a page of its own. */
export interface RecordRef {
  readonly kind: 'conversation' | 'site' | 'client' | 'link' | 'file';
  /** The path in the page's URL and, except for files, in the control API below the tenant: `client/<id>/site/<id>`. */
  readonly path: string;
  readonly ids: readonly string[];
}

const encoded = encodeURIComponent;
const decoded = (parts: readonly string[]): string[] => parts.map(decodeURIComponent);

export const recordRef = {
  conversation: (id: string): RecordRef => ({ kind: 'conversation', path: `conversation/${encoded(id)}`, ids: [id] }),
  site: (id: string): RecordRef => ({ kind: 'site', path: `site/${encoded(id)}`, ids: [id] }),
  client: (id: string): RecordRef => ({ kind: 'client', path: `client/${encoded(id)}`, ids: [id] }),
  link: (client: string, site: string): RecordRef => ({
    kind: 'link',
    path: `client/${encoded(client)}/site/${encoded(site)}`,
    ids: [client, site],
  }),
  file: (fileKey: string): RecordRef => ({ kind: 'file', path: `file/${encoded(fileKey)}`, ids: [fileKey] }),

  /** The record at a path; null if the path is not the path of a record. */
  parse(path: string | null): RecordRef | null {
    const [kind, id, second, other, ...rest] = (path ?? '').split('/');
    if (!kind || !id || rest.length > 0) return null;
    try {
      const [first = '', last = ''] = decoded([id, other ?? '']);
      if (kind === 'client' && second === 'site' && last !== '') return recordRef.link(first, last);
      if (second !== undefined) return null;
      if (kind === 'conversation' || kind === 'site' || kind === 'client' || kind === 'file') {
        return recordRef[kind](first);
      }
      return null;
    } catch {
      return null;
    }
  },
};

/** The name of a record; its id if it has no name. */
export function recordName({ records }: TenantData, { kind, ids: [id = '', site = ''] }: RecordRef): string {
  switch (kind) {
    case 'conversation': {
      const found = records.conversations.find((conversation) => conversation.id === id);
      return found?.subject ?? found?.friendlyId ?? id;
    }
    case 'site': {
      const found = records.sites.find((known) => known.id === id);
      return found?.businessName ?? found?.address1 ?? id;
    }
    case 'client':
      return records.clients.find((client) => client.id === id)?.name ?? id;
    case 'link': {
      const names = recordName.bind(null, { records } as TenantData);
      return `${names(recordRef.client(id))} at ${names(recordRef.site(site))}`;
    }
    case 'file':
      return `Upload ${shortId(id)}`;
  }
}
