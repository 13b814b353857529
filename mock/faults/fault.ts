import type { OperationId } from '../../spec/operations.ts';
import type { Duration } from '../clock.ts';
import type { Latency } from './latency.ts';
import type { StatusReply } from './status-reply.ts';

/** Which requests a fault is for: those that fit everything given here. */
export interface FaultTarget {
  readonly operationId?: OperationId | undefined;
  readonly tenant?: string | undefined;
  /** The name of an API key. */
  readonly key?: string | undefined;
  readonly method?: string | undefined;
  /** The path without its query; `*` stands for anything, so `/storage/*` is every upload. */
  readonly path?: string | undefined;
}

/**
 * A fault to be injected: which requests, how many of them, and what happens to them. It strikes after key and rate were
 * judged. A fault that replaces the reply keeps the operation from running; a fault that damages the reply lets it run.
 */
export interface FaultSpec extends FaultTarget {
  /** Only this many of the next requests that fit; where left out, all until the fault is removed. */
  readonly times?: number | undefined;
  /** How long the fault is in force from now on, by the mock's clock. */
  readonly lasts?: Duration | undefined;
  /** The share of requests that the fault strikes, 0 to 1. The seed alone decides which requests. */
  readonly probability?: number | undefined;
  readonly seed?: number | undefined;
  /** How many requests in a row each strike takes: 1 by default. */
  readonly burst?: number | undefined;

  /** This reply in place of the operation's. */
  readonly reply?: StatusReply | undefined;
  /** Holds the reply back. */
  readonly latency?: Latency | undefined;
  /** Closes the connection without a reply: `before` the operation has run, or `after`, so that only the reply is lost. */
  readonly drop?: 'before' | 'after' | undefined;
  /** `truncated` breaks off half-way through the body, `malformed` sends a body that is no JSON. */
  readonly damage?: 'truncated' | 'malformed' | undefined;
}

/** A fault that is in force. */
export interface Fault {
  readonly id: string;
  readonly spec: FaultSpec;
  /** How many requests the fault has struck. */
  readonly hits: number;
  /** How many more requests the fault will strike: null for no limit, 0 when the fault has ended. */
  readonly remaining: number | null;
}
