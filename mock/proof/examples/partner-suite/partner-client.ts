/** A small client of the partner API as a partner might write it, with the back-off that the API asks of its clients. */
interface PartnerClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How often a request is sent at most; 6 by default. */
  readonly attempts?: number;
  /** Waits so many milliseconds. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** The jitter: a number in [0, 1). */
  readonly random?: () => number;
}

interface FileToUpload {
  readonly name: string;
  readonly contentType: string;
  /** Called when the bytes are to be sent, and again when they have to be sent again. */
  read(): Promise<Uint8Array<ArrayBuffer>>;
}

/** What the API answered, where it was not what was asked for. */
class PartnerError extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, code: string | undefined, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const realSleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

export type PartnerClient = ReturnType<typeof createPartnerClient>;

export function createPartnerClient(options: PartnerClientOptions) {
  const { baseUrl, apiKey, attempts = 6, sleep = realSleep, random = Math.random } = options;

  /** Exponential with jitter, and never less than what the API asks for. */
  const backOff = (attempt: number, retryAfter: string | null) =>
    sleep(Math.max(Number(retryAfter ?? 0) * 1000, 100 * 2 ** attempt * (1 + random())));

  /** Sends until there is a whole reply that is not "later". */
  async function send(url: string, request: RequestInit): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const last = attempt === attempts;
      try {
        const reply = await fetch(url, request);
        // A body that breaks off is no reply.
        const text = await reply.text();
        const whole = new Response(reply.status === 204 ? null : text, reply);
        if (last || (reply.status !== 429 && reply.status !== 503)) return whole;
        await backOff(attempt, reply.headers.get('retry-after'));
      } catch (error) {
        // A lost reply may have been a success: only what can be repeated is.
        if (last || request.method === 'POST') throw error;
        await backOff(attempt, null);
      }
    }
  }

  async function call(method: string, path: string, body?: unknown) {
    const headers = { 'x-api-key': apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const text = body === undefined ? null : JSON.stringify(body);
    const reply = await send(baseUrl + path, { method, headers, body: text });
    const json = await reply.json().catch(() => ({}));
    if (!reply.ok) throw new PartnerError(reply.status, json.error?.code, json.error?.message ?? json.message);
    return json;
  }

  return {
    context: (conversation: string) => call('GET', `/v1/conversation/${conversation}/context`),
    labels: () => call('GET', '/v1/labels'),
    applyLabel: (conversation: string, label: string) => call('PUT', `/v1/conversation/${conversation}/label/${label}`),
    removeLabel: (conversation: string, label: string) =>
      call('DELETE', `/v1/conversation/${conversation}/label/${label}`),

    /** All three steps of an upload. An upload URL that expired on the way is asked for again, once. */
    async upload(site: string, { name, contentType, read }: FileToUpload) {
      const file = `/v1/site/${encodeURIComponent(site)}/file`;
      for (let attempt = 1; ; attempt++) {
        const { fileKey, uploadUrl } = await call('POST', `${file}/upload-url`, { contentType });
        const headers = { 'content-type': contentType };
        const put = await send(uploadUrl, { method: 'PUT', headers, body: await read() });
        if (put.ok) return call('POST', file, { fileKey, name });
        if (put.status !== 403 || attempt === 2) throw new PartnerError(put.status, undefined, await put.text());
      }
    },
  };
}
