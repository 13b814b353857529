import { Counter } from 'k6/metrics';
import type { RunKey } from '../run-file.ts';

// Raw output carries these points; `verdict/read-raw.ts` reads them by these names.

const started = new Counter('load_key');
const ended = new Counter('load_end');
/** A 429 that is not as documented; tags `rule` and `seen`. */
export const malformed = new Counter('load_malformed_429');
/** The Retry-After of a 429 that is waited for; tags `trial` and `text`. */
export const retryAfter = new Counter('load_retry_after');
/** Requests that could not be sent near their time. */
export const dropped = new Counter('load_dropped');
/** One check of a rule; the tag `seen` says what was wrong. */
export const checked = new Counter('load_check');
/** Requests that show nothing of a rule; the tag `seen` says why. */
export const undecided = new Counter('load_undecided');
/** Why the run was ended early; tags `code` and `text`. */
export const stopped = new Counter('load_stopped');

/** Driving a key begins. @param seconds of the main phase */
export const keyStarted = (scenario: string, { label, limit }: RunKey, position: number, seconds: number): void =>
  started.add(1, {
    scenario_name: scenario,
    key: label,
    per_second: String(limit.perSecond),
    burst: String(limit.burst),
    position: String(position),
    seconds: String(seconds),
  });

/** The plan of a key was carried out to its end. */
export const keyEnded = ({ label }: RunKey): void => ended.add(1, { key: label });
