import { capital } from '../../../spec/report-page/markup.ts';
import type { TenantData } from '../control/control.ts';
import { namesOf } from '../control/reads.ts';
import { decoded, shortId } from '../parts/words.ts';

/** A record with a page of its own. */
export interface RecordRef {
  readonly kind: 'conversation' | 'site' | 'client' | 'link' | 'file';
  /** The path in the page's URL and, except for files, in the control API below the tenant: `client/<id>/site/<id>`. */
  readonly path: string;
  readonly ids: readonly string[];
}

/** The title of the list of a kind. @param kind as `sites` */
export const titleOf = (kind: string) => (kind === 'links' ? 'Client-site links' : capital(kind));

const kinds = ['conversation', 'site', 'client', 'file'];

/** @param ids one, or the client and the site of a link */
export function recordRef(kind: RecordRef['kind'], ...ids: string[]): RecordRef {
  const [first = '', second = ''] = ids.map(encodeURIComponent);
  return { kind, ids, path: kind === 'link' ? `client/${first}/site/${second}` : `${kind}/${first}` };
}

/** The record at a path; null if the path is not the path of a record. */
export function refAt(path: string | null): RecordRef | null {
  const [kind, first = '', , second] = (path ?? '').split('/').map(decoded);
  const ref = second ? recordRef('link', first, second) : recordRef(kind as RecordRef['kind'], first);
  return first !== '' && kind !== undefined && kinds.includes(kind) && ref.path === path ? ref : null;
}

/** The name of a record; its id if it has no name. */
export function recordName(data: TenantData, { kind, ids }: RecordRef): string {
  if (kind === 'file') return `Upload ${shortId(ids[0] ?? '')}`;
  const names = new Map(namesOf(data));
  return ids.map((id) => names.get(id) ?? id).join(' at ');
}
