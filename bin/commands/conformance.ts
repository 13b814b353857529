import type { Command } from '@commander-js/extra-typings';
import { compare, judgeFile, reproduceFailure, run, undoChanges, writeWaivers } from './conformance/actions.ts';
import {
  cleanupOptions,
  compareOptions,
  judgeOptions,
  reproduceOptions,
  runOptions,
  waiverOptions,
} from './conformance/options.ts';

/** `partnerkit conformance ...`: checks whether a deployment keeps the contract, rule by rule. */
export function define(group: Command): void {
  group.addHelpText('after', '\nExample:\n  partnerkit conformance run --target target.yaml');
  runOptions(group.command('run')).action(run);
  judgeOptions(group.command('judge')).action(judgeFile);
  reproduceOptions(group.command('reproduce')).action(reproduceFailure);
  cleanupOptions(group.command('cleanup')).action(undoChanges);
  compareOptions(group.command('compare')).action(compare);
  waiverOptions(group.command('waivers')).action(writeWaivers);
}
