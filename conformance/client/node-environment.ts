import { lookup as resolveName } from 'node:dns';
import { lookup as addressesOf } from 'node:dns/promises';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { mayReach } from '../../spec/may-reach.ts';
import { tooLarge } from '../history/exchange.ts';
import type { Environment, Sending } from './environment.ts';
import { type HttpReply, type HttpRequest, TransportError, type TransportProblem } from './http.ts';
import { maxReply } from './reply-limits.ts';
import { runCommand } from './run-command.ts';

/** Real time and a real network. Connections stay open, so that a burst is sent at once. */
export function nodeEnvironment(): Environment & { close(): void } {
  const options = { keepAlive: true, maxSockets: 128, maxFreeSockets: 128 };
  const http = new HttpAgent(options);
  const https = new HttpsAgent(options);
  return {
    now: () => performance.timeOrigin + performance.now(),
    sleep: (milliseconds, signal) => delay(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined),
    random: Math.random,
    send: async (request, sending) => {
      const lookup = sending.namedBy === undefined ? undefined : await guardedLookup(request.url, sending.namedBy);
      return send(request, sending, { http, https }, lookup);
    },
    command: runCommand,
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

function send(
  { method, url, headers, body, chunked = false }: HttpRequest,
  { timeoutMilliseconds, signal, alone }: Sending,
  agents: { http: HttpAgent; https: HttpsAgent },
  lookup: LookupFunction | undefined,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const secure = url.startsWith('https:');
    let replied = false;
    const outgoing = (secure ? httpsRequest : httpRequest)(url, {
      method,
      agent: alone ? false : secure ? agents.https : agents.http,
      headers: {
        'user-agent': 'partnerkit-conformance',
        ...headers,
        // Without either, Node sends the body of a DELETE unframed, and servers read it as the next request.
        ...(body && (chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length })),
      },
      ...(signal && { signal }),
      ...(lookup && { lookup }),
    });
    let late: TransportError | undefined;
    const timer = setTimeout(() => {
      const missing = replied ? 'no whole reply' : 'no reply';
      late = new TransportError('timeout', `${missing} within ${timeoutMilliseconds} ms`);
      outgoing.destroy(late);
      // destroy() emits no error after the reply has begun, so the promise is rejected here.
      fail(late);
    }, timeoutMilliseconds);
    const fail = (cause: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      // After a timeout the connection reports a reset, which is only a consequence.
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
    // A server may refuse a large body and close while the body is still being sent. Its reply counts, if one came.
    outgoing.on('error', (error) => {
      if (!replied) fail(error);
    });
    // A connection that the server upgraded without being asked closes without an error.
    outgoing.on('close', () => {
      if (!replied) fail(Object.assign(new Error('closed without a reply'), { code: 'ECONNRESET' }));
    });
    outgoing.end(body ?? undefined);
  });
}

/**
 * A DNS lookup that refuses addresses which an upload URL of this deployment must not reach. The check is part of the lookup for the
 * connection, because a second lookup could return another address (DNS rebinding).
 * @throws TransportError when the host of the URL is itself such an address
 */
async function guardedLookup(url: string, deployment: string): Promise<LookupFunction> {
  const hostOf = (text: string) => new URL(text).hostname.replace(/^\[|\]$/g, '');
  const refused = (address: string) =>
    new TransportError(
      'unusable',
      `this deployment may not send uploads to ${address}, so nothing is sent to this address`,
    );
  const deployed = await addressesOf(hostOf(deployment), { all: true }).catch(() => []);
  const isAllowed = (address: string) =>
    mayReach(
      address,
      deployed.map((one) => one.address),
    );
  const host = hostOf(url);
  if (isIP(host) !== 0 && !isAllowed(host)) throw refused(host);
  return (name, options, callback) =>
    resolveName(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const [first, ...others] = found.filter(({ address }) => isAllowed(address));
      if (first === undefined) return callback(refused(found[0]?.address ?? name), []);
      return options.all ? callback(null, [first, ...others]) : callback(null, first.address, first.family);
    });
}

async function collect(incoming: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decoded(incoming)) {
    size += chunk.length;
    if (size > maxReply) throw new TransportError('unusable', `${tooLarge}the reply has more than ${maxReply} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The decompressed body. HTTP allows a server to compress a reply without being asked. */
function decoded(incoming: IncomingMessage): AsyncIterable<Buffer> {
  const decoder = decoders[incoming.headers['content-encoding']?.trim().toLowerCase() ?? ''];
  // The reader of the stream gets every error, but pipeline requires a callback.
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

/** The first line of an error, shortened: OpenSSL adds the name of its own source file. */
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
