import type { Exchange } from '../control/control-types.ts';
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
export function requestOf({ request, reply }: Pick<Exchange, 'request' | 'reply'>, origin: string): SampleRequest {
  const headers = Object.entries(request.headers).flatMap(([name, value = '']): [string, string][] => {
    if (name === 'x-api-key') return [[name, keyVariable]];
    if (name === 'authorization') return [[name, `${value.split(' ', 1)[0]} ${keyVariable}`]];
    const isOwn = !leftOut.has(name) && !name.startsWith('sec-') && !(name === 'accept' && value === '*/*');
    return isOwn ? [[name, value]] : [];
  });
  const { method, url, body } = request;
  return { method, url: origin + url, headers, body: body?.text ?? null, status: reply.status };
}
