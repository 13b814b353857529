import type { NextFunction, Request, Response } from 'express';
import { equalInConstantTime, hashOf } from '../keys/secret.ts';
import { errorCode } from '../refusal.ts';

/**
 * Protects the control API. With a token, every request needs it. Without a token (the mock listens on loopback only) it
 * refuses requests that a foreign web page may have sent: under another host name (DNS rebinding) or from another origin.
 */
export function guard(token: string | null) {
  const expected = token === null ? null : hashOf(token);
  return (request: Request, response: Response, next: NextFunction): void => {
    const refusal = refusalOf(request, expected);
    if (refusal === null) next();
    else {
      if (refusal.status === 401) response.setHeader('www-authenticate', 'Bearer realm="partnerkit control"');
      controlError(response, refusal);
    }
  };
}

function refusalOf({ headers }: Request, expected: string | null) {
  const { host = '', origin, authorization } = headers;
  const site = headers['sec-fetch-site'];
  const isElsewhere = origin !== undefined && hostOf(origin) !== host.toLowerCase();
  if (isElsewhere || (site !== undefined && site !== 'same-origin' && site !== 'none'))
    return forbidden('FOREIGN_ORIGIN', 'Pages of another origin may not use the control API.');
  if (expected === null) {
    if (isLoopback(nameOf(host))) return null;
    return forbidden(
      'FOREIGN_HOST',
      'Call the control API as 127.0.0.1 or localhost. To use another name, start the mock with --control-token.',
    );
  }
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  // Hashes are compared, so that the time of the comparison does not reveal the length of the token.
  if (given !== undefined && equalInConstantTime(hashOf(given), expected)) return null;
  return {
    status: 401,
    code: 'TOKEN_REQUIRED',
    message: 'Send "Authorization: Bearer <token>" with the token that was given or printed when the mock was started.',
  };
}

/** Whether only this machine can reach an interface. */
export const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

const forbidden = (code: string, message: string) => ({ status: 403, code, message });

/** The name in a Host header: without its port, and without the brackets of IPv6. */
const nameOf = (host: string) =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null);

interface ControlProblem {
  readonly status: number;
  /** By default the usual one of the status. */
  readonly code?: string;
  readonly message: string;
  /** All problems, if there are several. */
  readonly problems?: readonly string[];
}

/** Sends an error body like that of the API. */
export function controlError(response: Response, problem: ControlProblem): void {
  const { status, code = errorCode(status), message, problems } = problem;
  response.status(status).json({ error: { code, message, ...(problems && { problems }) } });
}
