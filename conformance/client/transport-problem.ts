import { notReached, tooLarge } from '../history/exchange.ts';
import { TransportError, type TransportProblem } from './http.ts';

type Cause = Error & { readonly code?: string };

/**
 * An error of Node as a problem, with what it means and what to do.
 * @param host that was asked for, with its port if it has one
 * @param proxy that stood between, without its password; null where there was none
 */
export function transportError(cause: Error, host: string, proxy: string | null): TransportError {
  if (cause instanceof TransportError) return cause;
  const { code = '' } = cause as Cause;
  if (cause.name === 'AbortError' || code === 'ABORT_ERR') return new TransportError('aborted', reasonOf(cause));
  const [, problem, remedy] = meanings.find(([pattern]) => pattern.test(code)) ?? [null, 'other' as const, ''];
  const way = proxy === null ? host : `${host} by the proxy ${proxy}`;
  const start = problem === 'unusable' ? tooLarge : isUnreached(problem) ? `${notReached}${way}: ` : '';
  return new TransportError(problem, `${start}${reasonOf(cause)}${remedy && `; ${remedy}`}`);
}

/** Whether no connection was made: the same request will not get through a second later, and a reply says nothing about the contract. */
export const isUnreached = (problem: TransportProblem | null): boolean =>
  problem !== null && unreached.includes(problem);

const unreached: readonly TransportProblem[] = ['dns', 'refused', 'connect', 'tls', 'proxy'];

/** By the code of the error: the problem, and the remedy. */
const meanings: readonly (readonly [RegExp, TransportProblem, string])[] = [
  [
    /^(ENOTFOUND|EAI_|ENODATA)/,
    'dns',
    'the host name is not known: check the name and the DNS of this machine, and HTTPS_PROXY if only a proxy knows it',
  ],
  [
    /^ECONNREFUSED$/,
    'refused',
    'nothing listens there; check host and port, that the service runs, and HTTPS_PROXY and NO_PROXY',
  ],
  [
    /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/,
    'connect',
    'no way leads there from this machine; check the firewall, and HTTPS_PROXY and NO_PROXY',
  ],
  [/^ERR_(INVALID|UNESCAPED|HTTP)/, 'connect', 'the request cannot be sent; check the target file'],
  [
    /PROXY/,
    'proxy',
    'the proxy does not let this through; check HTTPS_PROXY with its user and password, or name the host in NO_PROXY',
  ],
  [
    /ALERT|HANDSHAKE_FAILURE/,
    'tls',
    'the TLS connection was refused; a server that asks for a client certificate needs tls.cert and tls.key in the target file',
  ],
  [
    /CERT|TLS|SSL|EPROTO|SELF_SIGNED|UNABLE_TO|CRL/,
    'tls',
    'the TLS connection failed; check the certificate and its host name; NODE_EXTRA_CA_CERTS or tls.ca in the target file names a private authority',
  ],
  [/^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/, 'reset', 'check that the scheme is right, http or https'],
  [/^HPE_HEADER_OVERFLOW$/, 'unusable', 'the headers of the reply are longer than this runner reads'],
  [
    /^HPE_/,
    'other',
    'the reply is no valid HTTP/1.1; check that an HTTP server answers there, and any proxy in between',
  ],
];

/** The first line of an error, shortened: OpenSSL adds the name of its own source file. */
function reasonOf({ message, code = 'no reply' }: Cause): string {
  const reason = /SSL routines:\w*:([^:]+)/.exec(message)?.[1] ?? message.split('\n')[0] ?? '';
  return reason === '' ? code : reason;
}
