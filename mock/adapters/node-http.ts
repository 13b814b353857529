import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo, ListenOptions as ListenPlace } from 'node:net';
import type { ControlOptions } from '../control/control-route.ts';
import { isLoopback } from '../control/guard.ts';
import type { Mock } from '../create-mock.ts';
import { newSecret } from '../keys/secret.ts';
import type { ApiReply, ApiRequest } from '../message.ts';
import { refusePassthrough } from '../passthrough.ts';
import { plainPath } from '../paths.ts';
import { errorReply } from '../refusal.ts';
import { apiRequest, type Reception, sendReply } from './node-message.ts';
import { isHost, splitTarget } from './origin-of.ts';
import { clearTimeout, setTimeout } from './real-timers.ts';

/** Where and how a mock is served. */
export interface ListenOptions {
  /** 4010 by default. 0 chooses a free port. */
  readonly port?: number;
  /** The interface; by default 127.0.0.1, which only this machine can reach. */
  readonly host?: string;
  /** Serves https instead of http: certificate chain and private key as PEM. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer } | undefined;
  /**
   * Whether the mock stands behind a proxy whose `Forwarded` or `X-Forwarded-Host`, `-Proto` and `-Prefix` it may believe. Upload
   * URLs then have the address that the proxy's client used. Without a proxy every client could choose it.
   */
  readonly trustProxy?: boolean;
  /** The control API below `/_mock`. False serves none. */
  readonly control?: ControlOptions | false;
  /**
   * False closes each connection after its reply. A client that keeps connections looks after them with timers: under fake
   * timers it waits on one that it kept before, until the mock closes it.
   */
  readonly keepAlive?: boolean;
}

/** A mock that answers on a port. */
export interface ListeningMock {
  /** For example `http://127.0.0.1:4010`. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** The token that callers of the control API must send as a Bearer token; null if none is needed. */
  readonly controlToken: string | null;
  /** Stops listening, gives pending replies half a second to finish, then closes all connections. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves a mock over node:http. @throws the error of `server.listen`, for example EADDRINUSE. */
export async function listen(mock: Mock, options: ListenOptions = {}): Promise<ListeningMock> {
  const { port = 4010, host = '127.0.0.1', tls, control = {}, keepAlive = true } = options;
  if (!isLoopback(host)) refusePassthrough(mock, `on ${host}`);
  const scheme = tls === undefined ? 'http' : 'https';
  let url = '';
  let reception: Reception;

  const answer = (message: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    if (!keepAlive) response.shouldKeepAlive = false;
    if (!namesOneHost(message)) {
      sendReply(message, response, noHost, true);
      return;
    }
    const request = apiRequest(message, response, expectsContinue, reception);
    const url = plainPath(request.url);
    if (control !== false && isControl(url)) {
      message.url = url;
      if (expectsContinue) response.writeContinue();
      serveControl(message, response);
      return;
    }
    if (control !== false && isPerson(request)) sendReply(message, response, toConsole, expectsContinue);
    else mock.handle(request).then((reply) => sendReply(message, response, reply, expectsContinue));
  };

  const { token, ...judged } = control === false ? {} : control;
  const controlToken = control === false ? null : (token ?? (isLoopback(host) ? null : newSecret()));
  let controlApp: Promise<RequestListener> | undefined;
  const serveControl = (message: IncomingMessage, response: ServerResponse) => {
    // express is loaded at the first request to the control API, because it would double the start time of the mock.
    controlApp ??= import('../control/control-app.ts').then(({ createControlApp }) =>
      createControlApp({ mock, baseUrl: url, wrong: () => import('../wrong/catalogue.ts'), ...judged }, controlToken),
    );
    controlApp.then((app) => app(message, response)).catch(console.error);
  };

  const settings = {
    keepAliveTimeout: 65_000,
    requireHostHeader: false,
    // node:http keeps the first of several Host headers, and this refuses them.
    joinDuplicateHeaders: true,
  };
  const listener: RequestListener = (message, response) => answer(message, response, false);
  // An import statement would read every export of node:http, WebSocket too, for which Node loads all of fetch: 40 ms.
  const server =
    tls === undefined
      ? process.getBuiltinModule('node:http').createServer(settings, listener)
      : process.getBuiltinModule('node:https').createServer({ ...settings, ...tls }, listener);
  // Key and rate are checked before "100 Continue" is sent, so that a refused client does not send its body.
  server.on('checkContinue', (message, response) => answer(message, response, true));

  await once(server.listen(placeToListen(host, port)), 'listening');

  const address = server.address() as AddressInfo;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  url = `${scheme}://${name.includes(':') ? `[${name}]` : name}:${address.port}`;
  const basePath = new URL(mock.publicUrl ?? url).pathname.replace(/\/+$/, '');
  reception = { scheme, url, basePath, trustProxy: options.trustProxy ?? false };
  const close = () => closeServer(server);
  return { url, port: address.port, server, controlToken, close, [Symbol.asyncDispose]: close };
}

/**
 * With a host, Node loads its resolver: a tenth of a start. An address in digits is bound without it, where Node can (from 24.19 on).
 * @throws the error of `bind`
 */
function placeToListen(host: string, port: number): ListenPlace {
  const { BoundSocket, isIPv4 } = process.getBuiltinModule('node:net');
  return BoundSocket !== undefined && isIPv4(host) ? { handle: new BoundSocket({ host, port }) } : { host, port };
}

const isControl = (url: string) => url.startsWith('/_mock') && /^(?:$|[/?])/.test(url.slice('/_mock'.length));

/** Whether a person has opened the address of the mock in a browser. */
const isPerson = ({ url, method, headers }: ApiRequest) =>
  url === '/' &&
  method === 'GET' &&
  headers['x-api-key'] === undefined &&
  headers.accept?.includes('text/html') === true;

const toConsole: ApiReply = { status: 302, headers: { location: '_mock' }, body: null };

const noHost = errorReply(400, 'BAD_REQUEST', 'Send one Host header, with a host (RFC 9112, section 3.2).');

/** HTTP/1.0 needs no Host header. Several are joined by commas, which no host has. */
function namesOneHost({ headers: { host }, httpVersion, url = '' }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion !== '1.1';
  return isHost(host) && (url.startsWith('/') || !/^https?:/i.test(url) || splitTarget(url).origin !== null);
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const timer = setTimeout(() => server.closeAllConnections(), 500);
  await once(server.close(), 'close');
  clearTimeout(timer);
}
