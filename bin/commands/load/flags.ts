import { type Command, Option } from 'commander';
import { type Allowance, defaultAllowance } from '../../../load/plan/refusals.ts';
import { duration, positive } from '../../option-values.ts';

/** What every command that prepares a run is told. */
export interface PrepareFlags {
  readonly target: string;
  readonly key?: readonly string[];
  readonly duration?: number;
  readonly maxRps: number;
  readonly maxRequests: number;
  readonly yes?: boolean;
  readonly allowLeftovers?: boolean;
}

/** Adds the options that say against what, with which keys, and how much at most. */
export function addPrepareOptions(command: Command): Command {
  return command
    .requiredOption('--target <file>', 'target file, YAML or JSON, that describes the deployment')
    .option(
      '--key <name>',
      'a key of the first tenant to use; may be repeated',
      (name, names: readonly string[] = []) => [...names, name],
    )
    .addOption(
      new Option('--duration <duration>', 'length of the main phase, such as 90s, 10m or 2h').argParser(seconds),
    )
    .addOption(
      new Option('--max-rps <number>', 'refuse to send more in one second')
        .default(defaultAllowance.maxRps)
        .argParser(positive),
    )
    .addOption(
      new Option('--max-requests <number>', 'refuse to send more')
        .default(defaultAllowance.maxRequests)
        .argParser(positive),
    )
    .option('--yes', 'load a host that is not this machine')
    .option('--allow-leftovers', 'leave files behind that the API cannot remove (upload)');
}

/** What is allowed, from the flags. */
export const allowanceOf = ({ maxRps, maxRequests, yes = false, allowLeftovers = false }: PrepareFlags): Allowance => ({
  maxRps,
  maxRequests,
  yes,
  allowLeftovers,
});

/** k6 counts in seconds. */
const seconds = (value: string): number => duration(value) / 1000;
