import { Counter, Trend } from 'k6/metrics';

// Raw output carries these points; `verdict/read-raw.ts` reads them by these names.

/** A key begins to be driven; tags say with what limit. */
export const keyStarted = new Counter('load_key');
/** A key has been driven to the end. */
export const keyEnded = new Counter('load_end');
/** A 429 that is not as documented; tags `rule` and `seen`. */
export const malformed = new Counter('load_malformed_429');
/** A 429 that clients may not understand, though it breaks no rule; the same tags. */
export const doubtful = new Counter('load_doubtful_429');
/** The Retry-After of a 429 that is waited for; tags `trial` and `text`. */
export const retryAfter = new Counter('load_retry_after');
/** Requests that could not be sent near their time. */
export const dropped = new Counter('load_dropped');
/** How late a request left, in ms, where it was noticeable. */
export const lateness = new Trend('load_lateness', true);
/** A rule was checked, once for each time. */
export const checked = new Counter('load_checked');
/** A rule was found broken; thresholds count it by rule. */
export const broken = new Counter('load_broken');
/** This VU's samples could not tell. */
export const undecided = new Counter('load_undecided');
