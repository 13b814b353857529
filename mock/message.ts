/** One HTTP request as plain values: what every adapter turns its own kind of request into. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query exactly as sent, for example `/v1/labels?x=1`. */
  readonly url: string;
  /** Names in lower case; a header sent twice is joined with a comma, as HTTP has it. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /**
   * The address under which the client reached us, for example `http://127.0.0.1:4010`, and the path below which we are
   * mounted, where there is one: upload URLs start with it.
   */
  readonly origin: string;
  /** The bytes still to be read; null where the request has no body. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** One HTTP reply as plain values. */
export interface ApiReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Milliseconds of real time for which the adapter holds this reply back; the mock's clock does not move. */
  readonly delay?: number;
  /**
   * How the connection fails, where a fault has it fail: `dropped` sends nothing at all, `truncated` breaks off half-way
   * through the body. An adapter that cannot send half a reply drops both (a network error to its client).
   */
  readonly broken?: 'dropped' | 'truncated';
  /** Whether this very object will be given again, so that an adapter may keep what it made of it. */
  readonly recurring?: true;
}

/** The body of a request whose bytes are all there. */
export async function* wholeBody(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A reply whose body is the JSON of `value`. */
export function json(status: number, value: unknown, headers?: Readonly<Record<string, string>>): ApiReply {
  return {
    status,
    headers: headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers },
    body: JSON.stringify(value),
  };
}

/** The same, to be given more than once. */
export function recurringJson(...reply: Parameters<typeof json>): ApiReply {
  return Object.freeze({ ...json(...reply), recurring: true });
}

const jsonHeaders = Object.freeze({ 'content-type': 'application/json; charset=utf-8' });
