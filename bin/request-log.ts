import { styleText } from 'node:util';
import type { Exchange } from '../mock/index.ts';
import { terminalLine } from '../spec/text/terminal-text.ts';
import { withoutSignature } from '../spec/text/without-signature.ts';

/** The log line of an exchange, as text or JSON. Colours depend on the terminal and `NO_COLOR`. */
export function logLine(exchange: Exchange, json: boolean, stream: NodeJS.WriteStream = process.stdout): string {
  const { at, milliseconds, tenant, key, request, reply, why, rule, passedTo } = exchange;
  const time = new Date(at).toISOString();
  if (json) {
    const { id, operationId, refused, fault, breaks } = exchange;
    const [{ method, url }, { status, delay, broken }] = [request, reply];
    const took = Math.round(milliseconds * 1000) / 1000;
    const line = { event: 'request', id, at: time, method, url, status, milliseconds: took };
    return `${JSON.stringify({ ...line, tenant, key, operationId, refused, why, rule, fault, breaks, passedTo, delay, broken })}\n`;
  }
  const colour = reply.status < 300 ? 'green' : reply.status < 500 ? 'yellow' : 'red';
  const status = styleText(colour, reply.broken ?? String(reply.status), { stream });
  const who = tenant === null ? '-' : `${tenant}/${key ?? '-'}`;
  const passed = passedTo === null ? '' : `  answered by ${passedTo}`;
  const reason = [passed, why === null ? '' : `  ${why}`, rule === null ? '' : ` (${rule})`].join('');
  return `${time.slice(11)} ${status} ${request.method.padEnd(6)} ${terminalLine(withoutSignature(request.url))}  ${who}  ${milliseconds.toFixed(1)} ms${terminalLine(reason)}\n`;
}
