import { storagePath } from './storage/target.ts';

/** What the path of a URL begins with that the mock itself answers: the API, or the storage target. */
export const partnerPath = new RegExp(`^(?:/v1(?:[/?]|$)|${storagePath})`);

/** Whether a URL (path and query) is one of those. */
export const isPartnerPath = (url: string): boolean => partnerPath.test(url);
