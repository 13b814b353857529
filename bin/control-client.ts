import { ConfigurationError } from '../spec/files/configuration-error.ts';

/** How a command reaches a mock that runs elsewhere. */
export interface ControlClient {
  /** Without a slash at its end. */
  readonly url: string;
  /**
   * Asks the control API.
   * @param path below `/_mock`
   * @throws ConfigurationError where no mock answers, or where it refuses, in its words
   */
  ask(path: string, options?: { readonly method?: string; readonly body?: unknown }): Promise<Response>;
}

/** @param token of the control API; null where the mock wants none */
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
        throw new ConfigurationError([
          `no mock answers at ${url}; start one (partnerkit mock), or give its address with --mock`,
        ]);
      });
      if (reply.ok) return reply;
      throw new ConfigurationError([`${method} ${address}: ${reply.status} ${messageOf(await reply.text())}`]);
    },
  };
}

function messageOf(text: string): string {
  try {
    return String(JSON.parse(text).error.message);
  } catch {
    return text.slice(0, 200);
  }
}
