import { remoteControl, remoteJson } from '../mock/adapters/remote-control.ts';

interface Options {
  readonly method?: string;
  readonly body?: unknown;
}

/** Calls the control API of a mock in another process. Both calls throw a MockError if no mock answers, or with the message of an error reply. */
export const controlClient = (url: string, token: string | null) => ({
  /** Without a slash at the end. */
  url,
  /** The body of the reply. @param path below `/_mock` */
  ask: (path: string, options?: Options) => remoteControl(url, path, { ...options, token }),
  /** The JSON of the reply. Its shape is not checked. */
  json: async <T>(path: string, options?: Options) => (await remoteJson(url, path, { ...options, token })) as T,
});

export type ControlClient = ReturnType<typeof controlClient>;
