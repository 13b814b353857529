import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { MockError } from '../../mock-error.ts';

const kinds: Readonly<Record<number, MockError['kind']>> = { 404: 'missing', 409: 'conflict' };

/** Calls the control API of a mock in another process. @throws MockError with the message of an error reply */
export async function remoteControl(url: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const reply = await fetch(`${url}/_mock${path}`, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (reply.ok) return text === '' ? undefined : JSON.parse(text);
  throw new MockError(kinds[reply.status] ?? 'invalid', `${method} ${url}/_mock${path}: ${messageOf(text)}`);
}

const messageOf = (text: string): string =>
  (jsonOrUndefined(text) as { error?: { message?: string } } | undefined)?.error?.message ?? text;
