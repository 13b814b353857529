import { lookup as resolveName } from 'node:dns';
import { lookup as addressesOf } from 'node:dns/promises';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { getCACertificates, type TLSSocket } from 'node:tls';
import type { Target } from '../../spec/files/target.ts';
import { mayReach } from '../../spec/may-reach.ts';
import { proxyFor } from '../../spec/proxy-for.ts';
import { notReached } from '../history/exchange.ts';
import { runCommand } from '../hooks/command.ts';
import type { Environment, Sending } from './environment.ts';
import { type HttpReply, type HttpRequest, TransportError, transportError } from './http.ts';
import { decoded, maxReply, readEncodings, replyTooLarge } from './reply-body.ts';

/** Milliseconds. Where packets are dropped, a system would wait for minutes. */
const maxConnect = 10_000;

/** Bytes of the headers of one reply. Node reads 16 KB by itself, but no limit is documented. */
const maxHeaders = 256 * 1024;

/**
 * Real time and a real network. Connections stay open, so that a burst is sent at once. HTTP_PROXY, HTTPS_PROXY and NO_PROXY are obeyed.
 * @param tls certificates of the target file. Only the host of the deployment gets to see the client's
 */
export function nodeEnvironment({ tls }: Pick<Target, 'tls'> = {}): Environment & Disposable & { close(): void } {
  const agents = new Map<string, HttpAgent>();
  const agentFor = (secure: boolean, proxy: URL | null, isOwn: boolean): HttpAgent => {
    const id = [secure, proxy?.href, isOwn].join();
    const options = {
      keepAlive: true,
      maxSockets: 128,
      maxFreeSockets: 128,
      ...(proxy && { proxyEnv: { [secure ? 'https_proxy' : 'http_proxy']: proxy.href } }),
      ...(isOwn && { cert: tls?.cert, key: tls?.key }),
      ...(tls?.ca && { ca: [...getCACertificates('default'), tls.ca] }),
    };
    const agent = agents.get(id) ?? (secure ? new HttpsAgent(options) : new HttpAgent(options));
    agents.set(id, agent);
    return agent;
  };
  const close = () => {
    for (const agent of agents.values()) agent.destroy();
  };
  return {
    now: () => performance.timeOrigin + performance.now(),
    sleep: (milliseconds, signal) => delay(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined),
    random: Math.random,
    send: async (request, sending) => {
      const { protocol, hostname } = new URL(request.url);
      const proxy = proxyFor(request.url);
      if (proxy !== null && !process.allowedNodeEnvironmentFlags.has('--use-env-proxy'))
        throw new TransportError('connect', `${notReached}this Node knows no proxies; use Node 22.21, 24.5 or newer`);
      const { namedBy } = sending;
      const lookup = namedBy === undefined ? undefined : await guardedLookup(request.url, namedBy, proxy !== null);
      const isOwn = namedBy === undefined || new URL(namedBy).hostname === hostname;
      return send(request, sending, agentFor(protocol === 'https:', proxy, isOwn), proxy, lookup);
    },
    command: runCommand,
    close,
    [Symbol.dispose]: close,
  };
}

function send(
  { method, url, headers, body, chunked = false }: HttpRequest,
  { timeoutMilliseconds, signal }: Sending,
  agent: HttpAgent,
  proxy: URL | null,
  lookup: LookupFunction | undefined,
): Promise<HttpReply> {
  const { protocol, host } = new URL(url);
  const secure = protocol === 'https:';
  const way = proxy === null ? host : `${host} by the proxy ${proxy.host}`;
  return new Promise<HttpReply>((resolve, reject) => {
    let replied = false;
    const deadline = AbortSignal.timeout(timeoutMilliseconds);
    const outgoing = (secure ? httpsRequest : httpRequest)(url, {
      method,
      agent,
      maxHeaderSize: maxHeaders,
      headers: {
        'user-agent': 'partnerkit-conformance',
        'accept-encoding': readEncodings,
        ...headers,
        // Without either, Node sends the body of a DELETE unframed, and servers read it as the next request.
        ...(body && (chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length })),
      },
      signal: AbortSignal.any([deadline, ...(signal ? [signal] : [])]),
      ...(lookup && { lookup }),
    });
    const connecting = Math.min(maxConnect, timeoutMilliseconds);
    const unconnected = Object.assign(new Error(`no connection within ${connecting} ms`), { code: 'ETIMEDOUT' });
    const untilConnected = () => setTimeout(() => outgoing.destroy(unconnected), connecting);
    // A tunnel is ready before the request gets its socket. Else the time counts from then: a request may wait for others.
    let connection = proxy === null ? undefined : untilConnected();
    outgoing.on('socket', (socket) => {
      clearTimeout(connection);
      if (!socket.connecting && !(socket as Partial<TLSSocket & { secureConnecting: boolean }>).secureConnecting)
        return;
      connection = untilConnected();
      socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(connection));
    });
    let garbled: Error | undefined;
    const fail = (cause: Error) => {
      clearTimeout(connection);
      const late = `${replied ? 'no whole reply' : 'no reply'} within ${timeoutMilliseconds} ms`;
      // After a timeout the connection reports a reset, which is only a consequence.
      reject(deadline.aborted ? new TransportError('timeout', late) : (garbled ?? cause));
    };
    outgoing.on('response', (incoming) => {
      replied = true;
      collect(incoming).then((bytes) => {
        const status = incoming.statusCode ?? 0;
        if (status === 407 && proxy !== null && !secure)
          return fail(Object.assign(new Error('407 Proxy Authentication Required'), { code: 'ERR_PROXY' }));
        resolve({ status, headers: flatten(incoming), body: bytes });
      }, fail);
    });
    // A server may refuse a large body and close while the body is still being sent. Its reply counts, if one came. A body that cannot be
    // parsed looks to its reader like a closed connection.
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (!replied) fail(error);
      else if (error.code?.startsWith('HPE_')) garbled ??= error;
    });
    // A connection that the server upgraded without being asked closes without an error.
    outgoing.on('close', () => {
      if (!replied) fail(Object.assign(new Error('closed without a reply'), { code: 'ECONNRESET' }));
    });
    outgoing.end(body ?? undefined);
  }).catch((error: Error) => {
    throw transportError(error, way);
  });
}

/**
 * A DNS lookup that refuses addresses which an upload URL of this deployment must not reach. The check is part of the lookup for the
 * connection, because a second lookup could return another address (DNS rebinding). A proxy looks up by itself what it connects to, and may know
 * names that nobody else does, so that for a proxy this can only be looked up before.
 * @throws TransportError when the host of the URL is itself such an address
 */
async function guardedLookup(url: string, deployment: string, proxied: boolean): Promise<LookupFunction> {
  const hostOf = (text: string) => new URL(text).hostname.replace(/^\[|\]$/g, '');
  const refused = (address: string) =>
    new TransportError(
      'unusable',
      `this deployment may not send uploads to ${address}, so nothing is sent to this address`,
    );
  const addresses = async (name: string) =>
    (await addressesOf(name, { all: true }).catch(() => [])).map(({ address }) => address);
  const deployed = await addresses(hostOf(deployment));
  const isAllowed = (address: string) => mayReach(address, deployed);
  const host = hostOf(url);
  const known = isIP(host) !== 0 ? [host] : proxied ? await addresses(host) : [];
  if (known[0] !== undefined && !known.some(isAllowed)) throw refused(known[0]);
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
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > maxReply) throw replyTooLarge();
    chunks.push(chunk);
  }
  return decoded(Buffer.concat(chunks), incoming.headers['content-encoding'] ?? '');
}

const flatten = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value = '']) => [name, [value].flat().join(', ')]));
