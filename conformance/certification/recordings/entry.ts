import type { OperationId } from '../../../spec/operations.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { SentRequest } from '../traffic.ts';

/** One request of a recording, with all that its format says, keys and signatures still in it. */
export interface Entry
  extends Pick<Exchange, 'method' | 'url' | 'requestHeaders' | 'requestBody' | 'requestBytes' | 'sentAt' | 'doneAt'>,
    Pick<SentRequest, 'status' | 'headers' | 'body' | 'connection' | 'fault'> {
  /** Known where the server wrote it down; undefined where the path has to tell. */
  readonly operation?: OperationId | null;
}
