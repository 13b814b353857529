import type { OperationId } from '../spec/operations.ts';
import type { ApiKey } from './keys/key-ring.ts';
import type { ApiReply } from './message.ts';
import type { RefusalCase } from './refusal.ts';

/** What one request turned out to be, filled in while it is judged: for the journal and the log, never for the client. */
export interface Trace {
  operationId: OperationId | null;
  key: ApiKey | null;
  /** The tenant whose data it is about: the key's, or the one whose upload URL was used. */
  tenant: string | null;
  /** Why it was refused; null when it was served. `fault` and `preferred` are replies that somebody asked the mock for. */
  refused: RefusalCase | 'throttled' | 'fault' | 'preferred' | null;
  why: string | null;
  /** The fault that struck this request. */
  fault: FiredFault | null;
  /** The bytes of the body, where it was read whole. */
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
