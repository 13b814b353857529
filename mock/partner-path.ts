import { storagePath } from './storage/target.ts';

/** Matches the paths that the mock answers itself: the API and the storage target. */
export const partnerPath = new RegExp(`^(?:/v1(?:[/?]|$)|${storagePath})`);

/** Whether the mock answers a URL (path and query) itself. */
export const isPartnerPath = (url: string): boolean => partnerPath.test(url);
