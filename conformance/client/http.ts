/** One request as it goes over the wire. */
export interface HttpRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** Sends the body in chunks, without announcing its length. */
  readonly chunked?: boolean;
}

/** One reply. A redirect is a reply and never followed. */
export interface HttpReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** `unusable`: the reply exceeds the limits of this runner, and a retry would get the same reply. `connect`: there was no connection in time. */
export type TransportProblem =
  | 'dns'
  | 'refused'
  | 'connect'
  | 'tls'
  | 'reset'
  | 'timeout'
  | 'aborted'
  | 'unusable'
  | 'other';

/** No usable reply came. This says nothing about the contract. */
export class TransportError extends Error {
  readonly problem: TransportProblem;

  constructor(problem: TransportProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
