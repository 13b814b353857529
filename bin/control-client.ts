import { remoteControl, remoteJson } from '../mock/adapters/remote-control.ts';
import { ConfigurationError } from '../spec/files/configuration-error.ts';

type Call = readonly [path: string, options?: { readonly method?: string; readonly body?: unknown }];

/** Calls the control API of a mock in another process. Both throw a ConfigurationError if no mock answers, or with the message of an error reply. */
export interface ControlClient {
  /** Without a slash at the end. */
  readonly url: string;
  /** @param path below `/_mock` */
  ask(...call: Call): Promise<Response>;
  /** The JSON of the reply. Its shape is not checked. */
  json<T>(...call: Call): Promise<T>;
}

/** @param token of the control API; null if the mock needs none */
export function controlClient(url: string, token: string | null): ControlClient {
  const asConfiguration = (error: Error) => {
    throw new ConfigurationError([error.message]);
  };
  return {
    url,
    ask: (path, options) => remoteControl(url, path, { ...options, token }).catch(asConfiguration),
    json: async <T>(...[path, options]: Call) =>
      (await remoteJson(url, path, { ...options, token }).catch(asConfiguration)) as T,
  };
}
