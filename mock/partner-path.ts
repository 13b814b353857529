import { storagePath } from './storage/target.ts';

/** Any of its letters may be percent-encoded, as in `/v%31/labels` (RFC 3986, 6.2.2.2). */
const spelled = (path: string) =>
  path.replace(/\w/g, (letter) => `(?:${letter}|%${letter.charCodeAt(0).toString(16).replace('f', '[fF]')})`);

/** Matches the paths that the mock answers itself: the API and the storage target. */
export const partnerPath = new RegExp(`^(?:${spelled('/v1')}(?:[/?]|$)|${spelled(storagePath)})`);

/** Whether the mock answers a URL (path and query) itself. */
export const isPartnerPath = (url: string): boolean => partnerPath.test(url);
