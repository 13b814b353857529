import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { bytesOf } from '../message.ts';

/** Seconds. No call takes nearly as long, and no test should wait longer for the end of its tenant. */
const limit = 30;

/** Bytes of a reply, also when it is decompressed. None comes near it. */
export const maxReply = 64 * 2 ** 20;

/**
 * The reply to a request. Not by `fetch`: tests replace it, test environments forbid it other origins, and it may go through a proxy. No
 * redirect is followed.
 * @throws the error of the connection, with the code `ABORT_ERR` if there is no whole reply in time
 */
export async function sent(url: string, options: RequestOptions, body?: Uint8Array | string | null) {
  const open = url.startsWith('https:') ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(limit * 1_000);
  const request = open(url, { ...options, signal });
  // Once a reply has begun, what is wrong with the connection is an error of the reply.
  request.on('error', () => undefined).end(body ?? undefined);
  try {
    const [reply] = (await once(request, 'response', { signal })) as [IncomingMessage];
    const bytes = await bytesOf(reply, maxReply, new Error(`a reply of more than ${maxReply} bytes`));
    return { status: reply.statusCode ?? 502, headers: reply.headers, bytes: Buffer.from(bytes.buffer) };
  } catch (error) {
    throw signal.aborted ? Object.assign(new Error(`no whole reply within ${limit} s`), { code: 'ABORT_ERR' }) : error;
  }
}
