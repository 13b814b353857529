import type { OperationId } from '../../spec/operations.ts';
import type { Duration } from '../clock.ts';
import { VerificationError } from '../journal/verification.ts';
import type { Latency } from './latency.ts';
import type { StatusReply } from './status-reply.ts';

/** Selects the requests that match all given properties. */
export interface FaultTarget {
  readonly operationId?: OperationId | undefined;
  readonly tenant?: string | undefined;
  /** The name of an API key. */
  readonly key?: string | undefined;
  readonly method?: string | undefined;
  /**
   * The path without its query. `*` matches any text, so `/storage/*` selects every upload. Without it, requests are selected that have an
   * operation, and uploads.
   */
  readonly path?: string | undefined;
}

/**
 * A fault to be injected: which requests it affects, how many of them, and what happens to them. It applies after the key
 * and the rate limit were checked and the operation was found. With `reply` or `drop: 'before'` the operation does not run; otherwise it does.
 */
export interface FaultSpec extends FaultTarget {
  /** Affects only this many of the next matching requests. By default all of them, until the fault is removed. */
  readonly times?: number | undefined;
  /** How long the fault is active, by the mock's clock. */
  readonly lasts?: Duration | undefined;
  /** The share of requests that the fault affects, 0 to 1. The same seed selects the same requests. */
  readonly probability?: number | undefined;
  readonly seed?: number | undefined;
  /** How many requests in a row are affected each time `probability` selects one: 1 by default. */
  readonly burst?: number | undefined;
  /** Keeps the fault in the list without affecting any request. */
  readonly paused?: boolean | undefined;

  /** Sends this reply instead of the operation's. */
  readonly reply?: StatusReply | undefined;
  /** Delays the reply. */
  readonly latency?: Latency | undefined;
  /** Closes the connection without a reply: `before` the operation has run, or `after`, so that only the reply is lost. */
  readonly drop?: 'before' | 'after' | undefined;
  /** `truncated` closes the connection half-way through the body, `malformed` sends a body that is not JSON. */
  readonly damage?: 'truncated' | 'malformed' | undefined;
}

/** A fault that was added to the mock. */
export interface Fault {
  readonly id: string;
  readonly spec: FaultSpec;
  /** How many requests the fault has affected. */
  readonly hits: number;
  /** How many more requests the fault will affect: null for no limit, 0 if the fault has ended. */
  readonly remaining: number | null;
}

/**
 * An unused fault shows that the code under test did not send the request that its test expects.
 * @throws VerificationError naming the faults that have affected no request
 */
export function verifyUsed(faults: readonly Fault[]): void {
  const unused = faults.filter(({ hits }) => hits === 0);
  if (unused.length === 0) return;
  const lines = unused.map(({ id, spec }) => `  ${id}: ${JSON.stringify(spec)}`);
  const explanation = [`${unused.length} of ${faults.length} faults affected no request:`, ...lines].join('\n');
  throw new VerificationError({ verified: false, count: unused.length, explanation, nearMisses: [] });
}
