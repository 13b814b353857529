import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { getCACertificates } from 'node:tls';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import { proxyFor } from '../../spec/proxy-for.ts';
import { MockError } from '../mock-error.ts';
import type { Deployment, PassthroughTarget } from '../passthrough.ts';
import { errorReply } from '../refusal.ts';
import { maxReply, sent } from './sent.ts';

/** Headers about one connection (RFC 9110, section 7.6.1), and those that are set anew for the next. */
const ofConnection =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|host|accept-encoding|content-(?:length|encoding))$/;

/**
 * A deployment over a real network. HTTP_PROXY, HTTPS_PROXY and NO_PROXY are obeyed.
 * @throws MockError `invalid` if its address is no http or https URL, or has a password, which console and journal would show
 */
export function deploymentAt(target: PassthroughTarget): Deployment {
  if (!/^https?:/i.test(target.baseUrl) || !URL.canParse(target.baseUrl))
    throw new MockError('invalid', 'passthrough: must be an http or https URL, such as https://connect.example.com');
  if (new URL(target.baseUrl).username !== '')
    throw new MockError('invalid', 'passthrough: must have no user or password; a target file has `headers` for them');
  const baseUrl = target.baseUrl.replace(/(?:\/v1)?\/*$/, '');
  const isSecure = new URL(baseUrl).protocol === 'https:';
  const proxy = proxyFor(baseUrl);
  const { ca, ...own } = target.tls ?? {};
  const options = {
    keepAlive: true,
    ...(proxy && { proxyEnv: { [isSecure ? 'https_proxy' : 'http_proxy']: proxy.href } }),
    ...own,
    ...(ca !== undefined && { ca: [...getCACertificates('default'), ca] }),
  };
  const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  return {
    ...target,
    baseUrl,
    async send({ method, url, headers }, body) {
      const own = { 'accept-encoding': 'identity', ...(body && { 'content-length': body.length }) };
      try {
        const options = { agent, method, headers: { ...relayed(headers), ...target.headers, ...own } };
        const reply = await sent(`${baseUrl}${url}`, options, body);
        const bytes = decoded(reply.bytes, reply.headers['content-encoding']);
        const text = bytes.length === 0 ? null : bytes.toString();
        return { status: reply.status, headers: relayed(reply.headers), body: text };
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        const why = `${baseUrl} did not answer: ${message || code}. Requests about what the mock does not know go there.`;
        return code === 'ABORT_ERR' ? errorReply(504, 'GATEWAY_TIMEOUT', why) : errorReply(502, 'BAD_GATEWAY', why);
      }
    },
  };
}

/** Some gateways compress what nobody asked them to. */
const decoded = (bytes: Buffer, encoding: string | undefined): Buffer =>
  encoding === undefined || encoding === 'identity' || bytes.length === 0
    ? bytes
    : encoding === 'br'
      ? brotliDecompressSync(bytes, { maxOutputLength: maxReply })
      : unzipSync(bytes, { maxOutputLength: maxReply });

/** The headers that reach the other end, with the values of repeated ones joined. */
const relayed = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ofConnection.test(name) ? [] : [[name, String(value)]],
    ),
  );
