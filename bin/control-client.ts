import { type Command, Option } from '@commander-js/extra-typings';
import { remoteControl, remoteJson } from '../mock/adapters/remote-control.ts';
import { httpOrigin } from './option-values.ts';

type Options = Parameters<typeof remoteControl>[2];

/** Calls the control API of a mock in another process. Both calls throw a MockError if no mock answers, or with the message of an error reply. */
export const controlClient = (url: string, token: string | null) => ({
  /** Without a slash at the end. */
  url,
  /** @param path below `/_mock` */
  ask: (path: string, options?: Options) => remoteControl(url, path, { ...options, token }),
  /** The JSON of the reply. Its shape is not checked. */
  json: async <T>(path: string, options?: Options) => (await remoteJson(url, path, { ...options, token })) as T,
});

export type ControlClient = ReturnType<typeof controlClient>;

/** The options of a command that talks to a running mock. */
export const mockOptions = (command: Command) =>
  command
    .option('--mock <url>', 'address of the mock', httpOrigin, 'http://127.0.0.1:4010')
    .addOption(
      new Option('--control-token <token>', 'token of the control API, if the mock was started with one').env(
        'PARTNERKIT_CONTROL_TOKEN',
      ),
    );
