import type { OperationId } from '../../spec/operations.ts';
import type { Credential, Demand, Exchange, Step, Trial } from '../history/exchange.ts';
import type { Facts } from '../history/facts.ts';
import type { KeyOfTenant } from '../target/deployment.ts';

/** A request to send. */
export interface Ask {
  readonly operation: OperationId;
  /** Path parameters by their names in the contract. */
  readonly params?: Readonly<Record<string, string>>;
  /** By default, the fitting key of the tenant under test with the most scopes. */
  readonly key?: KeyOfTenant;
  /** How the key is sent. By default, in x-api-key. */
  readonly credential?: Credential;
  /** Text and bytes are sent as they are, everything else as JSON. */
  readonly body?: unknown;
  /** Replaces headers of the request; null removes a header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Percent-encodes the first letter of each id in the path, which does not change what the path means. */
  readonly encoded?: true;
  /** Appended to the path. Starts with a question mark. */
  readonly query?: string;
  /** Replaces the method of the operation. A request with another method or path belongs to no operation. */
  readonly method?: string;
  readonly path?: string;
  /** Sends the body in chunks, without Content-Length. */
  readonly chunked?: boolean;
  /** Awaited just before the request is sent, so that requests of several keys are sent at the same time. */
  readonly barrier?: () => Promise<unknown>;
  /** Sent once and without waiting for the pacer, to measure the limiter. */
  readonly unpaced?: true;
  readonly facts?: Facts;
  readonly step?: Step;
  readonly trial?: Trial;
}

/** Bytes for an upload URL. */
export interface Put {
  /** The Content-Type header; null for none. */
  readonly contentType: string | null;
  readonly bytes: Uint8Array;
  /** Changes the signature in the URL. With another start, the URL has the query of that upload. */
  readonly tampered?: true | Exchange;
  readonly demand?: Demand;
  readonly trial?: Trial;
}

/** The run ends. From then on, requests are sent only to restore labels. */
export class Stopped extends Error {}
