import { type Command, Option } from 'commander';
import { httpOrigin } from '../option-values.ts';

/** The options of a command that talks to a running mock. */
export function mockOptions(command: Command): Command {
  return command
    .addOption(new Option('--mock <url>', 'address of the mock').default('http://127.0.0.1:4010').argParser(httpOrigin))
    .addOption(
      new Option('--control-token <token>', 'token of the control API, if the mock was started with one').env(
        'PARTNERKIT_CONTROL_TOKEN',
      ),
    );
}
