import type { Command } from 'commander';
import { defaultAllowance } from '../../../load/plan/traffic.ts';
import type { RunChoices } from '../../../load/run/prepare-run.ts';
import { duration, positive } from '../../option-values.ts';
import { requiredTarget } from '../conformance/options.ts';

/** The options of every command that prepares a run. */
export interface PrepareFlags {
  readonly target?: string;
  readonly key?: readonly string[];
  readonly duration?: number;
  readonly maxRps: number;
  readonly maxRequests: number;
  readonly yes?: boolean;
  readonly allowLeftovers?: boolean;
}

/** Adds the options for the target, the keys and the limits of a run. */
export function addPrepareOptions(command: Command): Command {
  return command
    .option('--target <file>', 'target file, YAML or JSON, that describes the deployment')
    .option('--key <name>', 'use this key of the first tenant; repeatable', (name, names: readonly string[] = []) => [
      ...names,
      name,
    ])
    .option('--duration <duration>', 'length of the main phase, such as 90s, 10m or 2h', seconds)
    .option('--max-rps <number>', 'refuse to send more requests in one second', positive, defaultAllowance.maxRps)
    .option('--max-requests <number>', 'refuse to send more requests in all', positive, defaultAllowance.maxRequests)
    .option('--yes', 'allow load on a host that is not this machine')
    .option('--allow-leftovers', 'allow files that the API cannot delete (scenario upload)');
}

/** What the options say of a run. */
export const choicesOf = ({ key = [], duration, ...limits }: PrepareFlags): RunChoices => {
  const { target, maxRps, maxRequests, yes = false, allowLeftovers = false } = limits;
  const allowance = { maxRps, maxRequests, yes, allowLeftovers };
  return { keys: key, duration, allowance, env: process.env, where: requiredTarget({ target }) };
};

/** k6 counts in seconds. */
const seconds = (value: string): number => duration(value) / 1000;
