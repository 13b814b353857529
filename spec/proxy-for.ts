import { BlockList, isIP } from 'node:net';
import { ConfigurationError } from './files/configuration-error.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a URL by HTTP_PROXY, HTTPS_PROXY and NO_PROXY, read as Go reads them, so that conformance and k6 take the same way. Names in lower
 * case come first. Nothing on this machine is reached through a proxy.
 * @returns with user and password, if it has some; null where the URL is reached without a proxy
 * @throws ConfigurationError for a proxy that speaks no HTTP
 */
export function proxyFor(url: string, env: Variables = process.env): URL | null {
  const { protocol, hostname, port } = new URL(url);
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = env[name.toLowerCase()] || env[name];
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const exceptions = (env.no_proxy || env.NO_PROXY || '').split(/[\s,]+/).filter((entry) => entry !== '');
  const exact = port || (protocol === 'https:' ? '443' : '80');
  if (!value || isHere(host) || exceptions.some((entry) => covers(entry.toLowerCase(), host, exact))) return null;
  const proxy = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (proxy !== null && /^https?:$/.test(proxy.protocol)) return proxy;
  throw new ConfigurationError([`${name}: must be the address of an HTTP proxy, such as http://proxy.example:3128`]);
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

const contains = (list: BlockList, host: string) =>
  isIP(host) !== 0 && list.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');

const isHere = (host: string) => host === 'localhost' || contains(loopback, host);

/** An entry of NO_PROXY: `*`, an address, a network such as 10.0.0.0/8, or a domain with all below it; each but `*` may have a port. */
function covers(entry: string, host: string, port: string): boolean {
  const [, named = entry, only = port] = isIP(entry) === 0 ? (/^(.*):(\d+)$/.exec(entry) ?? []) : [];
  const name = named.replace(/^\[|\]$/g, '');
  if (only !== port) return false;
  const [network = '', bits = ''] = name.split('/');
  if (isIP(network) !== 0 && /^\d+$/.test(bits)) {
    const [family, most] = isIP(network) === 6 ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
    const list = new BlockList();
    list.addSubnet(network, Math.min(Number(bits), most), family);
    return contains(list, host);
  }
  const domain = name.replace(/^\*?\./, '');
  return name === '*' || host === name || (isIP(host) === 0 && host.endsWith(`.${domain}`));
}
