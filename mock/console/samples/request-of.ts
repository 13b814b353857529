import type { Exchange } from '../control/control.ts';
import { withShortIds } from '../parts/words.ts';
import { keyVariable, type SampleRequest } from './code-samples.ts';

/** Headers that every client sends by itself, or that belong to one connection. */
const leftOut = new Set([
  'host',
  'user-agent',
  'accept-encoding',
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
  'cookie',
  'referer',
  'origin',
  'accept-language',
]);

/** The request of an exchange, to be sent again or written as code. The journal keeps no key, so a variable stands for it. */
export function requestOf(
  { request, reply, operationId }: Pick<Exchange, 'request' | 'reply' | 'operationId'>,
  origin: string,
): SampleRequest {
  const headers = Object.entries(request.headers).flatMap(([name, value = '']): [string, string][] => {
    if (name === 'x-api-key') return [[name, keyVariable]];
    if (name === 'authorization') return [[name, `${value.split(' ', 1)[0]} ${keyVariable}`]];
    const isOwn = !leftOut.has(name) && !name.startsWith('sec-') && !(name === 'accept' && value === '*/*');
    return isOwn ? [[name, value]] : [];
  });
  const { method, url, body } = request;
  const name = operationId ?? `${method} ${withShortIds(url.split('?', 1)[0] ?? '')}`;
  return { name, method, url: origin + url, headers, body: body?.text ?? null, status: reply.status };
}

/** A first request that every key may send. @param secret undefined for a key in a variable */
export const firstRequest = (secret = keyVariable): SampleRequest => ({
  name: 'listLabels',
  method: 'GET',
  url: `${location.origin}/v1/labels`,
  headers: [['x-api-key', secret]],
  body: null,
  status: 200,
});
