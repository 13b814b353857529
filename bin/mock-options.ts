import { type Command, Option } from '@commander-js/extra-typings';
import { httpOrigin } from './option-values.ts';

/** The options of a command that talks to a running mock. */
export const mockOptions = (command: Command) =>
  command
    .option('--mock <url>', 'address of the mock', httpOrigin, 'http://127.0.0.1:4010')
    .addOption(
      new Option('--control-token <token>', 'token of the control API, if the mock was started with one').env(
        'PARTNERKIT_CONTROL_TOKEN',
      ),
    );
