import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { getCACertificates } from 'node:tls';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import { proxyFor } from '../../spec/proxy-for.ts';
import { type ApiReply, bytesOf } from '../message.ts';
import { MockError } from '../mock-error.ts';
import type { Deployment, PassthroughTarget } from '../passthrough.ts';
import { errorReply } from '../refusal.ts';

/** Milliseconds until a deployment that does not answer is a 504. */
const maxWait = 30_000;

/** Bytes of a reply, also when it is decompressed. No reply of the API comes near it. */
const maxReply = 64 * 2 ** 20;

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
      const sent = {
        ...relayed(headers),
        ...target.headers,
        'accept-encoding': 'identity',
        ...(body && { 'content-length': body.length }),
      };
      try {
        return await exchange(`${baseUrl}${url}`, { agent, method, headers: sent }, body);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        const isLate = code === 'ABORT_ERR';
        const said = isLate ? `no whole reply within ${maxWait / 1_000} s` : message || code;
        const why = `${baseUrl} did not answer: ${said}. Requests about what the mock does not know go there.`;
        return isLate ? errorReply(504, 'GATEWAY_TIMEOUT', why) : errorReply(502, 'BAD_GATEWAY', why);
      }
    },
  };
}

async function exchange(url: string, options: RequestOptions, body: Uint8Array | null): Promise<ApiReply> {
  const open = url.startsWith('https:') ? httpsRequest : httpRequest;
  const signal = AbortSignal.timeout(maxWait);
  const outgoing = open(url, { ...options, signal });
  // Once a reply has begun, what is wrong with the connection is an error of the reply.
  outgoing.on('error', () => undefined).end(body ?? undefined);
  const [incoming] = (await once(outgoing, 'response', { signal })) as [IncomingMessage];
  const whole = await bytesOf(incoming, maxReply, new Error(`a reply of more than ${maxReply} bytes`));
  const bytes = decoded(Buffer.from(whole.buffer), incoming.headers['content-encoding']);
  const headers = relayed(incoming.headers);
  return { status: incoming.statusCode ?? 502, headers, body: bytes.length === 0 ? null : bytes.toString() };
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
