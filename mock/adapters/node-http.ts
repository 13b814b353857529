import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isLoopback } from '../control/loopback.ts';
import type { Mock } from '../create-mock.ts';
import { newSecret } from '../gateway/new-secret.ts';
import type { ApiReply } from '../message.ts';
import { errorReply } from '../refusal.ts';
import { sendReply } from './node-message.ts';
import { NodeRequest } from './node-request.ts';

// An import statement would read every export of the module, WebSocket too, for which Node loads all of its fetch: 40 ms.
const { createServer } = process.getBuiltinModule('node:http');

export interface ListenOptions {
  /** 4010 by default; 0 takes a free one. */
  readonly port?: number;
  /** Only this machine reaches the mock unless another interface is named. */
  readonly host?: string;
  /** Serves https in place of http: certificate chain and private key as PEM. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer } | undefined;
  /** The control API under `/_mock`; false serves none. */
  readonly control?: ControlOptions | false;
}

export interface ControlOptions {
  /** What its callers must send as a Bearer token. Without one a token is made up where other machines reach the mock. */
  readonly token?: string | undefined;
  /** Writes the state file, where the mock keeps one. */
  readonly save?: (() => Promise<void>) | undefined;
  /** Told of errors that are the mock's own; they go to the console by default. */
  readonly onError?: (error: unknown) => void;
}

/** A mock that answers on a port. */
export interface ListeningMock {
  /** For example `http://127.0.0.1:4010`. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** What callers of the control API must send as a Bearer token; null where none is needed. */
  readonly controlToken: string | null;
  /** Stops listening, lets replies under way finish for half a second, then closes what is left. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves a mock over node:http. @throws the error of `server.listen`, for example EADDRINUSE. */
export async function listen(mock: Mock, options: ListenOptions = {}): Promise<ListeningMock> {
  const { port = 4010, host = '127.0.0.1', tls, control = {} } = options;
  const scheme = tls === undefined ? 'http' : 'https';
  let url = '';

  const answer = (message: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    const request = new NodeRequest(message, response, expectsContinue, scheme, url);
    if (control !== false && isControl(request.url)) {
      if (expectsContinue) response.writeContinue();
      serveControl(message, response);
      return;
    }
    const reply = mock.handle(request);
    const finish = (settled: ApiReply) => sendReply(message, response, settled, expectsContinue);
    if (reply instanceof Promise) reply.then(finish);
    else finish(reply);
  };

  const { token, save, onError = console.error } = control === false ? {} : control;
  const controlToken = control === false ? null : (token ?? (isLoopback(host) ? null : newSecret()));
  let controlApp: Promise<RequestListener> | undefined;
  const serveControl = (message: IncomingMessage, response: ServerResponse) => {
    // Loaded at the first such request: express would double the time that the mock takes to start.
    controlApp ??= import('../control/control-app.ts').then(({ createControlApp }) =>
      createControlApp({ mock, baseUrl: url, token: controlToken, save, onError }),
    );
    controlApp.then((app) => app(message, response)).catch(onError);
  };

  // An upload may take longer than the 5 minutes that node:http gives a request; headers may not.
  const settings = { keepAliveTimeout: 65_000, requestTimeout: 0, headersTimeout: 60_000 };
  const listener: RequestListener = (message, response) => answer(message, response, false);
  const server =
    tls === undefined
      ? createServer(settings, listener)
      : process.getBuiltinModule('node:https').createServer({ ...settings, ...tls }, listener);
  // The gateway judges before it asks for the body: a refused client has sent nothing in vain.
  server.on('checkContinue', (message, response) => answer(message, response, true));
  server.on('checkExpectation', (message, response) =>
    sendReply(
      message,
      response,
      errorReply(417, 'EXPECTATION_FAILED', 'Expect: only 100-continue is supported.'),
      true,
    ),
  );
  server.on('clientError', refuseMalformed);

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

  const address = server.address() as AddressInfo;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  url = `${scheme}://${name.includes(':') ? `[${name}]` : name}:${address.port}`;
  const close = () => closeServer(server);
  return { url, port: address.port, server, controlToken, close, [Symbol.asyncDispose]: close };
}

const isControl = (url: string) => url.startsWith('/_mock') && /^(?:$|[/?])/.test(url.slice('/_mock'.length));

/** What node:http could not read as a request at all still gets a JSON error, if the socket takes one. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, phrase, code, text] = malformed[error.code ?? ''] ?? [
    400,
    'Bad Request',
    'BAD_REQUEST',
    'This is not a valid HTTP request.',
  ];
  const { body } = errorReply(status, code, text);
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body?.length}\r\nconnection: close\r\n\r\n${body}`,
  );
}

const malformed: Readonly<Record<string, readonly [number, string, string, string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'REQUEST_HEADER_FIELDS_TOO_LARGE',
    'The request line and headers are larger than 16 KiB.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'REQUEST_TIMEOUT', 'The request did not arrive in time.'],
};

function closeServer(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), 500);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
