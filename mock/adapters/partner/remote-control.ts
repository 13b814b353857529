import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { MockError } from '../../mock-error.ts';

const kinds: Readonly<Record<number, MockError['kind']>> = { 404: 'missing', 409: 'conflict' };

interface ControlRequest {
  readonly method?: string;
  readonly body?: unknown;
  /** Null if the mock needs none. */
  readonly token?: string | null;
}

/**
 * Calls the control API of a mock in another process. Redirects are not followed, because only the mock itself may get the request and its token.
 * @param path below `/_mock`
 * @throws MockError if no mock answers, or with the message of an error reply
 */
export async function remoteControl(
  url: string,
  path: string,
  { method = 'GET', body, token = null }: ControlRequest = {},
): Promise<Response> {
  const address = `${url}/_mock${path}`;
  const reply = await fetch(address, {
    method,
    redirect: 'manual',
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new MockError('missing', `no mock answers at ${url}; start one (partnerkit mock), or give its address`);
  });
  if (reply.ok) return reply;
  const { status, headers } = reply;
  const problem = headers.has('location') ? leadsAway(headers) : messageOf(await reply.text());
  throw new MockError(kinds[status] ?? 'invalid', `${method} ${address}: ${status} ${problem}`);
}

/** The JSON of a reply; undefined if it has no body. @throws MockError if it is something else */
export async function remoteJson(...call: Parameters<typeof remoteControl>): Promise<unknown> {
  const text = await (await remoteControl(...call)).text();
  const value = text === '' ? undefined : jsonOrUndefined(text);
  if (text === '' || value !== undefined) return value;
  throw new MockError('invalid', `${call[0]}/_mock${call[1]}: the reply is not that of a mock; check the address`);
}

const leadsAway = (headers: Headers) =>
  `leads to ${headers.get('location')}, which is not followed; give the address of the mock itself`;

const messageOf = (text: string): string =>
  (jsonOrUndefined(text) as { error?: { message?: string } } | undefined)?.error?.message ?? text.slice(0, 200);
