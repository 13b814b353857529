import type { OperationId } from '../spec/operations.ts';
import type { RuleId } from '../spec/rules.ts';
import type { ApiKey } from './keys/key-ring.ts';
import type { ApiReply } from './message.ts';
import type { RefusalCase } from './refusal.ts';

/** What the mock finds out about a request while handling it. The journal and the log show it; the client never sees it. */
export class Trace {
  operationId: OperationId | null = null;
  key: ApiKey | null = null;
  /** The tenant of the request's key, or the tenant whose upload URL was used. */
  tenant: string | null = null;
  /** Why the request was refused; null if it was served. Also set by the storage target, a fault and a Prefer header. */
  refused: RefusalCase | 'throttled' | 'storage' | 'fault' | 'preferred' | null = null;
  why: string | null = null;
  /** The fault that affected this request. */
  fault: FiredFault | null = null;
  /** The address of the deployment that answered in place of the mock; null where the mock did. */
  passedTo: string | null = null;
  /** The bytes of the request's body, if the body was read completely. */
  body: Uint8Array | null = null;

  /** Notes why the request was refused. */
  refuse(refused: Trace['refused'], why: string | null): void {
    this.refused = refused;
    this.why = why;
  }
}

/** The fault that affected one request. */
export interface FiredFault {
  readonly id: string;
  /** The text for the journal. */
  readonly why: string;
  /** The rule that the mock broke on purpose. */
  readonly breaks?: RuleId | undefined;
  /** Applied to the reply, whatever it is. */
  damage(reply: ApiReply): ApiReply;
}
