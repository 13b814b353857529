import type { ApiRequest } from '../message.ts';

/** Whether this is a host as in a Host header, with or without a port (RFC 9110, section 7.2). */
export const isHost = (host: string): boolean =>
  /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d*)?$/i.test(host) && URL.canParse(`http://${host}`);

/** The address under which a client reached the mock: from its `Host` header, or `fallback` if that header is missing or invalid. */
export function originOf(scheme: string, host: string | undefined, fallback: string): string {
  return host !== undefined && isHost(host) ? `${scheme}://${host}` : fallback;
}

/**
 * Path and query of a request target, and its origin if it has the absolute form that proxies send. Then that origin counts, and
 * not the Host header (RFC 9112, section 3.2.2).
 */
export function splitTarget(target: string): { readonly path: string; readonly origin: string | null } {
  if (target.startsWith('/')) return { path: target, origin: null };
  const [authority = ''] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target) ?? [];
  const origin = /^https?:/i.test(authority) && URL.canParse(authority) ? new URL(authority).origin : null;
  return { path: target.slice(authority.length).replace(/^(?=\?|$)/, '/'), origin };
}

/**
 * The address that the client of a trusted proxy used.
 * @param origin the address under which the proxy reached the mock, for what its headers do not say
 */
export function forwardedOrigin(origin: string, headers: ApiRequest['headers']): string {
  const first = (name: string) => headers[name]?.split(',')[0]?.trim();
  const element = first('forwarded') ?? '';
  const said = (name: string) => new RegExp(`(?:^|;)\\s*${name}=("?)([^";]*)\\1`, 'i').exec(element)?.[2];
  const own = new URL(origin);
  const proto = said('proto') ?? first('x-forwarded-proto') ?? '';
  const scheme = /^https?$/i.test(proto) ? proto.toLowerCase() : own.protocol.slice(0, -1);
  const reached = originOf(scheme, said('host') ?? first('x-forwarded-host'), `${scheme}://${own.host}`);
  const prefix = first('x-forwarded-prefix')?.replace(/\/+$/, '') ?? '';
  return reached + (/^(?:\/[\w.~!$&'()*+,;=:@%-]+)+$/.test(prefix) ? prefix : '');
}
