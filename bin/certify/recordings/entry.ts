import type { Exchange } from '../../../conformance/history/exchange.ts';
import type { OperationId } from '../../../spec/operations.ts';
import type { SentRequest } from '../traffic.ts';

/** One request of a recording, not yet redacted. */
export interface Entry
  extends Pick<Exchange, 'method' | 'url' | 'requestHeaders' | 'requestBody' | 'requestBytes' | 'sentAt' | 'doneAt'>,
    Pick<SentRequest, 'status' | 'headers' | 'body' | 'connection' | 'fault'> {
  /** Undefined where the recording does not say; the path then decides. */
  readonly operation?: OperationId | null;
}
