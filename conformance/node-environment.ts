import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type Duplex, pipeline } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Environment } from './environment.ts';
import { type HttpReply, type HttpRequest, TransportError, type TransportProblem } from './http.ts';

/** The real world: real time, and connections that stay open, so that a burst leaves at once. */
export function nodeEnvironment(): Environment & { close(): void } {
  const options = { keepAlive: true, maxSockets: 128, maxFreeSockets: 128 };
  const http = new HttpAgent(options);
  const https = new HttpsAgent(options);
  return {
    now: () => performance.timeOrigin + performance.now(),
    sleep: (milliseconds, signal) => delay(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined),
    random: Math.random,
    send: (request, sending) => send(request, sending, { http, https }),
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

function send(
  { method, url, headers, body }: HttpRequest,
  { timeoutMilliseconds, signal }: Parameters<Environment['send']>[1],
  agents: { http: HttpAgent; https: HttpsAgent },
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const secure = url.startsWith('https:');
    let replied = false;
    const outgoing = (secure ? httpsRequest : httpRequest)(url, {
      method,
      agent: secure ? agents.https : agents.http,
      headers: { 'user-agent': 'partnerkit-conformance', ...headers, ...(body && { 'content-length': body.length }) },
      ...(signal && { signal }),
    });
    let late: TransportError | undefined;
    const timer = setTimeout(() => {
      const missing = replied ? 'no whole reply' : 'no reply';
      late = new TransportError('timeout', `${missing} within ${timeoutMilliseconds} ms`);
      outgoing.destroy(late);
    }, timeoutMilliseconds);
    const fail = (cause: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      // What broke off because we gave up says so itself.
      const error = late ?? cause;
      reject(error instanceof TransportError ? error : new TransportError(problemOf(error), reasonOf(error)));
    };
    outgoing.on('response', (incoming) => {
      replied = true;
      collect(incoming).then((bytes) => {
        clearTimeout(timer);
        resolve({ status: incoming.statusCode ?? 0, headers: flatten(incoming), body: bytes });
      }, fail);
    });
    // A server that refuses a large body may close while we still send; its reply is what counts, if it came.
    outgoing.on('error', (error) => {
      if (!replied) fail(error);
    });
    outgoing.end(body ?? undefined);
  });
}

/** No reply of the API comes near it; one that does not end must not take the memory of the machine. */
const longestReply = 32 * 1024 * 1024;

async function collect(incoming: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decoded(incoming)) {
    size += chunk.length;
    if (size > longestReply) throw new TransportError('other', `the reply is larger than ${longestReply} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The body as it was before a proxy compressed it, which HTTP allows it to do unasked. */
function decoded(incoming: IncomingMessage): AsyncIterable<Buffer> {
  const decoder = decoders[incoming.headers['content-encoding']?.trim().toLowerCase() ?? ''];
  // Whoever iterates hears of every error; the callback is there because pipeline wants one.
  return decoder === undefined ? incoming : pipeline(incoming, decoder(), () => undefined);
}

const decoders: Readonly<Record<string, (() => Duplex) | undefined>> = Object.assign(Object.create(null), {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
});

function flatten({ headers }: IncomingMessage): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

/** The first line, short: OpenSSL puts its own source file into what it says. */
function reasonOf({ message, code = 'no reply' }: NodeJS.ErrnoException): string {
  const reason = /SSL routines:\w*:([^:]+)/.exec(message)?.[1] ?? message.split('\n')[0] ?? '';
  return reason === '' ? code : reason;
}

function problemOf({ code = '', name }: NodeJS.ErrnoException): TransportProblem {
  if (name === 'AbortError' || code === 'ABORT_ERR') return 'aborted';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'dns';
  if (['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code)) return 'refused';
  if (/CERT|TLS|SSL|EPROTO|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return 'tls';
  if (['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(code)) return 'reset';
  return code === 'ETIMEDOUT' ? 'timeout' : 'other';
}
