import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { MockError } from '../mock-error.ts';
import { sent } from './sent.ts';

const kinds: Readonly<Record<number, MockError['kind']>> = { 404: 'missing', 409: 'conflict' };

/** A mock in another process. */
export type RemoteMock = ReturnType<typeof remoteMock>;

/**
 * Calls the control API of a mock in another process. Only the mock itself may get the request and its token. Both calls throw a MockError if no
 * mock answers, or with the message of an error reply.
 * @param url without a slash at the end
 * @param token if the mock needs one
 */
export function remoteMock(url: string, token?: string) {
  /** The bytes of a reply. @param path below `/_mock` */
  const ask = async (path: string, method = 'GET', body?: unknown): Promise<Buffer> => {
    const address = `${url}/_mock${path}`;
    const json = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(json !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }),
    };
    const reply = await sent(address, { method, headers, agent: false }, json).catch((error: Error) => {
      throw new MockError(
        'missing',
        `no mock answers at ${url} (${error.message}); start one (partnerkit mock), or give its address`,
      );
    });
    const { status, bytes } = reply;
    if (status >= 200 && status < 300) return bytes;
    const { location } = reply.headers;
    const message = (jsonOrUndefined(bytes.toString()) as { error?: { message?: string } } | undefined)?.error?.message;
    const problem =
      location === undefined
        ? (message ?? bytes.toString('utf8', 0, 200))
        : `leads to ${location}, which is not followed; give the address of the mock itself`;
    throw new MockError(kinds[status] ?? 'invalid', `${method} ${address}: ${status} ${problem}`);
  };
  return {
    url,
    ask,
    /** The JSON of a reply, whose shape is not checked; undefined if it has no body. @throws MockError if it is something else */
    async json<T>(...[path, ...more]: Parameters<typeof ask>): Promise<T> {
      const text = (await ask(path, ...more)).toString();
      const value = text === '' ? undefined : jsonOrUndefined(text);
      if (text === '' || value !== undefined) return value as T;
      throw new MockError('invalid', `${url}/_mock${path}: the reply is not that of a mock; check the address`);
    },
  };
}
