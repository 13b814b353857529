import type { OperationId } from '../spec/operations.ts';
import type { ApiKey } from './keys/key-ring.ts';
import type { ApiReply } from './message.ts';
import type { RefusalCase } from './refusal.ts';

/** What one request turned out to be, filled in while it is judged: for the journal and the log, never for the client. */
export interface Trace {
  operationId: OperationId | null;
  key: ApiKey | null;
  /** The tenant of the request's key, or the tenant whose upload URL was used. */
  tenant: string | null;
  /** Why the request was refused; null when the request was served. A fault or a Prefer header asked for `fault` and `preferred`. */
  refused: RefusalCase | 'throttled' | 'fault' | 'preferred' | null;
  why: string | null;
  /** The fault that struck this request. */
  fault: FiredFault | null;
  /** The bytes of the request's body, where the body was read whole. */
  body: Uint8Array | null;
}

export const newTrace = (): Trace => ({
  operationId: null,
  key: null,
  tenant: null,
  refused: null,
  why: null,
  fault: null,
  body: null,
});

/** The fault that struck one request. */
export interface FiredFault {
  readonly id: string;
  /** In words, for the journal. */
  readonly why: string;
  /** Applied to the reply, whatever it is. */
  damage(reply: ApiReply): ApiReply;
}
