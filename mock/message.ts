/** One HTTP request as plain values. Every adapter turns its own kind of request into this. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query exactly as sent, for example `/v1/labels?x=1`. */
  readonly url: string;
  /** Names are in lower case. A header that was sent twice is joined with a comma, as in HTTP. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /**
   * The address under which the client reached the mock, for example `http://127.0.0.1:4010`, with the path below which the
   * mock is mounted, if any. Upload URLs start with it.
   */
  readonly origin: string;
  /** The bytes, still to be read; null if the request has no body. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** One HTTP reply as plain values. */
export interface ApiReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Milliseconds of real time by which the adapter delays this reply. The mock's clock does not move. */
  readonly delay?: number;
  /**
   * How a fault breaks the connection: `dropped` sends nothing at all, `truncated` closes the connection half-way through
   * the body. An adapter that cannot send half a reply treats both as `dropped`.
   */
  readonly broken?: 'dropped' | 'truncated';
}

/** A request body whose bytes have all arrived. */
export async function* wholeBody(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * All bytes of a stream.
 * @param limit how many there may be; exactly that many are allowed
 * @param tooMany the error as soon as there are more
 */
export async function bytesOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit = Number.POSITIVE_INFINITY,
  tooMany?: object,
): Promise<Uint8Array<ArrayBuffer>> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) throw tooMany;
    all.push(chunk);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of all) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** The reply to HEAD: the headers that GET would get, with the length of its body (RFC 9110, 9.3.2). */
export function withoutBody(reply: ApiReply): ApiReply {
  if (reply.body === null) return reply;
  const length = new TextEncoder().encode(reply.body).length;
  return { ...reply, headers: { ...reply.headers, 'content-length': String(length) }, body: null };
}

/** A reply whose body is the JSON of `value`. */
export function json(status: number, value: unknown, headers?: Readonly<Record<string, string>>): ApiReply {
  return {
    status,
    headers: headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers },
    body: JSON.stringify(value),
  };
}

const jsonHeaders = Object.freeze({ 'content-type': 'application/json; charset=utf-8' });
