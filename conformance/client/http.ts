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

/** One reply as it came back; a redirect is a reply, never followed. */
export interface HttpReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** `unusable`: a reply came, but it exceeds the limits of what is read; a retry would bring the same. */
export type TransportProblem = 'dns' | 'refused' | 'tls' | 'reset' | 'timeout' | 'aborted' | 'unusable' | 'other';

/** No readable reply came. The error is about the network, and says nothing about the contract. */
export class TransportError extends Error {
  readonly problem: TransportProblem;

  constructor(problem: TransportProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
