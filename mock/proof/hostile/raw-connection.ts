import { once } from 'node:events';
import { connect } from 'node:net';

/** One reply, as it came over the wire. */
export interface RawReply {
  readonly version: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type RawConnection = Awaited<ReturnType<typeof rawConnection>>;

/** For tests: a TCP connection on which anything at all may be sent, which clients of HTTP would not. */
export async function rawConnection(port: number) {
  const socket = connect(port, '127.0.0.1');
  let received = Buffer.alloc(0);
  let over = false;
  let wake = () => {};
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  // A reset is as good a way to close as any: what came before it is what counts.
  socket.on('error', () => {});
  socket.on('close', () => {
    over = true;
    wake();
  });
  await once(socket, 'connect');
  const more = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  const next = async (): Promise<RawReply> => {
    for (;;) {
      const reply = parseReply(received, over);
      if (reply !== null) {
        received = received.subarray(reply.length);
        return reply;
      }
      if (over)
        throw new Error(`the connection ended before a whole reply had come: ${JSON.stringify(String(received))}`);
      await more();
    }
  };
  return {
    socket,
    write: (bytes: string | Uint8Array) => void socket.write(bytes),
    /** Ends our half: the server still may answer. */
    end: () => void socket.end(),
    /** The next so many replies. @throws Error when the connection ends before they came, or what came is no HTTP. */
    async replies(count: number) {
      const replies: RawReply[] = [];
      while (replies.length < count) replies.push(await next());
      return replies;
    },
    /** Everything that was not yet read as a reply, once the server has closed. */
    async closed() {
      while (!over) await more();
      return String(received);
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** The reply at the start of the bytes; null while it is incomplete. @throws Error if the bytes are not HTTP */
function parseReply(bytes: Buffer, over: boolean): (RawReply & { length: number }) | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [line = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [, version = '', status = ''] = /^HTTP\/(1\.[01]) (\d{3}) [\x20-\x7e]*$/.exec(line) ?? [];
  if (version === '') throw new Error(`not the first line of a reply: ${JSON.stringify(line)}`);
  const headers = Object.fromEntries(
    lines.map((header) => {
      const colon = header.indexOf(':');
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
    }),
  );
  const none = status === '204' || status.startsWith('1');
  const announced = headers['content-length'];
  if (!none && announced === undefined && !over) return null;
  const at = end + 4;
  const length = none ? at : announced === undefined ? bytes.length : at + Number(announced);
  if (bytes.length < length) return null;
  return { version, status: Number(status), headers, body: bytes.subarray(at, length).toString(), length };
}
