import { notReached, tooLarge } from '../history/exchange.ts';

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

/** One reply. A redirect is a reply and never followed. */
export interface HttpReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** `connect`: there was no connection in time, or none at all. `unusable`: the reply exceeds the limits of this runner, and would do so again. */
export type TransportProblem = 'refused' | 'connect' | 'timeout' | 'aborted' | 'unusable' | 'other';

/** No usable reply came. This says nothing about the contract. */
export class TransportError extends Error {
  readonly problem: TransportProblem;

  constructor(problem: TransportProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/**
 * An error of Node as a problem, with what it means and what to do.
 * @param way the host that was asked for, and the proxy, without its password
 */
export function transportError(cause: NodeJS.ErrnoException, way: string): TransportError {
  if (cause instanceof TransportError) return cause;
  const { code = 'no reply', name, message } = cause;
  // OpenSSL adds the name of its own source file.
  const reason = /SSL routines:\w*:([^:]+)/.exec(message)?.[1] ?? message.split('\n')[0] ?? '';
  if (name === 'AbortError' || code === 'ABORT_ERR') return new TransportError('aborted', reason);
  const [, problem, remedy] = meanings.find(([pattern]) => pattern.test(code)) ?? [null, 'other' as const, ''];
  const start = problem === 'unusable' ? tooLarge : isUnreached(problem) ? `${notReached}${way}: ` : '';
  return new TransportError(problem, `${start}${reason || code}${remedy && `; ${remedy}`}`);
}

/** Whether no connection was made. It will not be made a second later, unless it was refused, and says nothing about the contract. */
export const isUnreached = (problem: TransportProblem | null): boolean =>
  problem === 'refused' || problem === 'connect';

const proxies = 'HTTPS_PROXY and NO_PROXY';
const ca = 'NODE_EXTRA_CA_CERTS or tls.ca in the target file names a private authority';

/** By the code of the error: the problem, and the remedy. */
const meanings: readonly (readonly [RegExp, TransportProblem, string])[] = [
  [
    /^(ENOTFOUND|EAI_|ENODATA)/,
    'connect',
    `the host name is not known; check it, the DNS of this machine, and ${proxies}`,
  ],
  [/^ECONNREFUSED$/, 'refused', `nothing listens there; check host and port, that the service runs, and ${proxies}`],
  [/UNREACH|EADDRNOTAVAIL|ETIMEDOUT/, 'connect', `no way leads there; check the firewall and ${proxies}`],
  [/^ERR_(INVALID|UNESCAPED|HTTP)/, 'connect', 'the request cannot be sent; check the target file'],
  [/PROXY/, 'connect', `the proxy does not let this through; check user and password, and ${proxies}`],
  [/ALERT|HANDSHAKE_FAILURE/, 'connect', 'the server may want a client certificate; give tls.cert and tls.key'],
  [
    /CERT|TLS|SSL|EPROTO|UNABLE_TO/,
    'connect',
    `the TLS connection failed; check the certificate and its host name; ${ca}`,
  ],
  [/^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/, 'other', 'check that the scheme is right, http or https'],
  [/^HPE_HEADER_OVERFLOW$/, 'unusable', 'the headers of the reply are longer than this runner reads'],
  [/^HPE_/, 'other', 'the reply is no valid HTTP/1.1; check what answers there, and any proxy in between'],
];
