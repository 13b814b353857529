import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import type { Trace } from '../trace.ts';

/** A body as the journal keeps it. */
export interface KeptBody {
  /** As text; shortened where `bytes` is more than the journal keeps of one body. */
  readonly text: string;
  /** The size of the whole. */
  readonly bytes: number;
  readonly shortened: boolean;
}

/** One request and its reply, with API keys and signatures taken out. */
export interface Exchange {
  /** Counts up from 1 over the life of the mock. */
  readonly id: number;
  /** When the request was judged: milliseconds since the epoch by the mock's clock. */
  readonly at: number;
  /** How long the mock took, in milliseconds of real time, without injected latency. */
  readonly milliseconds: number;
  readonly tenant: string | null;
  /** The name of the API key; null where none was recognised. */
  readonly key: string | null;
  /** Null for the storage target and for paths that the API does not have. */
  readonly operationId: OperationId | null;
  readonly request: {
    readonly method: string;
    /** Path and query. */
    readonly url: string;
    readonly headers: Readonly<Record<string, string | undefined>>;
    /** Null where the request had no body, or where the body was streamed into the file store. */
    readonly body: KeptBody | null;
  };
  readonly reply: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: KeptBody | null;
    /** How a fault damaged the reply. */
    readonly broken: 'dropped' | 'truncated' | null;
    /** Milliseconds of injected latency. */
    readonly delay: number;
  };
  /** Why the request was refused; null when the request was served. */
  readonly refused: Trace['refused'];
  /** The reason of the refusal in words. */
  readonly why: string | null;
  /** The rule of the contract behind the refusal, where there is one. */
  readonly rule: RuleId | null;
  /** The id of the fault that struck the request. */
  readonly fault: string | null;
}
