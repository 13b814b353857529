import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import type { Trace } from '../trace.ts';

/** The kept part of a body. */
export interface KeptBody {
  /** The body as text, shortened if it is larger than the journal keeps. */
  readonly text: string;
  /** The size of the whole body. */
  readonly bytes: number;
  readonly shortened: boolean;
}

/** One request and its reply, without API keys and signatures. */
export interface Exchange {
  /** Counts up from 1 over the life of the mock. */
  readonly id: number;
  /** When the request was handled: milliseconds since the epoch, by the mock's clock. */
  readonly at: number;
  /** How long the mock took, in milliseconds of real time, without injected latency. */
  readonly milliseconds: number;
  readonly tenant: string | null;
  /** The name of the API key; null if the request had no known key. */
  readonly key: string | null;
  /** Null for the storage target and for paths that the API does not have. */
  readonly operationId: OperationId | null;
  readonly request: {
    readonly method: string;
    /** Path and query. */
    readonly url: string;
    readonly headers: Readonly<Record<string, string | undefined>>;
    /** Null if the request had no body, or if the body was streamed into the file store. */
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
  /** The reason of the refusal as text. */
  readonly why: string | null;
  /** The rule of the contract behind the refusal, if there is one. */
  readonly rule: RuleId | null;
  /** The id of the fault that affected the request. */
  readonly fault: string | null;
}
