import { Counter, Trend } from 'k6/metrics';

// Raw output carries these points; `verdict/read-raw.ts` reads them by these names.

/** The first request of a key; tags say the limit of the key. */
export const keyStarted = new Counter('load_key');
/** The plan of a key was carried out to its end. */
export const keyEnded = new Counter('load_end');
/** A 429 that is not as documented; tags `rule` and `seen`. */
export const malformed = new Counter('load_malformed_429');
/** A 429 that breaks no rule but that clients may not understand; the same tags. */
export const doubtful = new Counter('load_doubtful_429');
/** The Retry-After of a 429 that is waited for; tags `trial` and `text`. */
export const retryAfter = new Counter('load_retry_after');
/** A reply before or after a change of the server's second; tags `date`, and `sent` and `done` in ms since the epoch. */
export const dated = new Counter('load_date');
/** Requests that could not be sent near their time. */
export const dropped = new Counter('load_dropped');
/** How late a request left, in ms, where it was noticeable. */
export const lateness = new Trend('load_lateness', true);
/** A rule was checked, once for each time. */
export const checked = new Counter('load_checked');
/** A rule was found broken; thresholds count it by rule. */
export const broken = new Counter('load_broken');
/** The samples of this VU prove nothing. */
export const undecided = new Counter('load_undecided');
