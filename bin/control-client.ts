import { ConfigurationError } from '../spec/files/configuration-error.ts';
import { jsonOrUndefined } from '../spec/text/json-or-undefined.ts';

/** Calls the control API of a mock in another process. */
export interface ControlClient {
  /** Without a slash at the end. */
  readonly url: string;
  /**
   * Sends a request to the control API.
   * @param path below `/_mock`
   * @throws ConfigurationError if no mock answers, or with the message of an error reply
   */
  ask(path: string, options?: { readonly method?: string; readonly body?: unknown }): Promise<Response>;
}

/** @param token of the control API; null if the mock needs none */
export function controlClient(url: string, token: string | null): ControlClient {
  return {
    url,
    async ask(path, { method = 'GET', body } = {}) {
      const address = `${url}/_mock${path}`;
      const reply = await fetch(address, {
        method,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).catch(() => {
        const { NODE_USE_ENV_PROXY: proxied } = process.env;
        throw new ConfigurationError([
          `no mock answers at ${url}; start one (partnerkit mock), or give its address with --mock${proxied === undefined ? '' : '; if HTTP_PROXY is set, name the host of the mock in NO_PROXY'}`,
        ]);
      });
      if (reply.ok) return reply;
      throw new ConfigurationError([`${method} ${address}: ${reply.status} ${messageOf(await reply.text())}`]);
    },
  };
}

const messageOf = (text: string): string =>
  (jsonOrUndefined(text) as { error?: { message?: string } } | undefined)?.error?.message ?? text.slice(0, 200);
