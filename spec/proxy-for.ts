import { isIP } from 'node:net';
import { ConfigurationError } from './files/configuration-error.ts';
import { isWithin } from './may-reach.ts';

/**
 * The proxy for a URL by HTTP_PROXY, HTTPS_PROXY and NO_PROXY, read as Go reads them, so that conformance and k6 take the same way. Names in lower
 * case come first. Nothing on this machine is reached through a proxy.
 * @returns with user and password, if it has some; null where the URL is reached without a proxy
 * @throws ConfigurationError for a proxy that speaks no HTTP
 */
export function proxyFor(url: string, env: Readonly<Record<string, string | undefined>> = process.env): URL | null {
  const { protocol, hostname, port } = new URL(url);
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = env[name.toLowerCase()] || env[name];
  const host = hostname.replace(/^\[|\]$/g, '');
  const exact = port || (protocol === 'https:' ? '443' : '80');
  const exceptions = `localhost 127.0.0.0/8 ::1 ${env.no_proxy || env.NO_PROXY || ''}`.toLowerCase().split(/[\s,]+/);
  if (!value || exceptions.some((entry) => covers(entry, host, exact))) return null;
  const proxy = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (proxy !== null && /^https?:$/.test(proxy.protocol)) return proxy;
  throw new ConfigurationError([`${name}: must be the address of an HTTP proxy, such as http://proxy.example:3128`]);
}

/** An entry of NO_PROXY: `*`, an address, a network such as 10.0.0.0/8, or a domain with all below it; each may have a port. */
function covers(entry: string, host: string, port: string): boolean {
  const [, named = entry, only = port] = (isIP(entry) === 0 && /^(.*):(\d+)$/.exec(entry)) || [];
  const name = named.replace(/^\[|\]$/g, '');
  if (only !== port || name === '') return false;
  if (isIP(host) !== 0) return name === '*' || name === host || isWithin(host, name);
  return name === '*' || name === host || host.endsWith(`.${name.replace(/^\*?\./, '')}`);
}
