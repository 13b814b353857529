import { storagePath } from './storage/target.ts';

/** Whether a URL (path and query) is one that the mock itself answers: the API or the storage target. */
export function isPartnerPath(url: string): boolean {
  return /^\/v1(?:[/?]|$)/.test(url) || url.startsWith(storagePath);
}
