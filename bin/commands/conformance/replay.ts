import type { Command } from 'commander';
import { interruption } from '../../../spec/interruption.ts';
import { duration } from '../../option-values.ts';
import { told } from './running/told.ts';
import { addTargetOption, requiredTarget, type TargetFlag } from './selection-options.ts';

interface ReplayFlags extends TargetFlag {
  readonly timeout?: number;
  readonly allowLeftovers?: boolean;
  readonly allowHooks?: boolean;
  readonly slow?: boolean;
  readonly journal: string;
  readonly json?: boolean;
}

/** `partnerkit conformance replay`: checks one law again and prints all requests and replies. */
export function addReplayCommand(group: Command): void {
  const command = group
    .command('replay')
    .argument('<id>', 'id of a law, as reports show it')
    .description('send the requests that one law judges again, and print requests and replies');
  addTargetOption(command)
    .option('--timeout <duration>', 'the longest time for one request, such as 30s', duration)
    .option('--allow-leftovers', 'replay even if that leaves a file behind')
    .option('--allow-hooks', 'run commands of the target file')
    .option('--slow', 'include situations that take more than five minutes')
    .option('--journal <folder>', 'folder of the journal that keeps writes until they are undone', '.partnerkit')
    .option('--json', 'print JSON')
    .action((id: string, flags: ReplayFlags) => told(() => start(id, flags)));
}

async function start(id: string, flags: ReplayFlags): Promise<void> {
  const [{ fileJournal, loadTarget, nodeEnvironment }, { evidenceText, replay }] = await Promise.all([
    import('../../../conformance/index.ts'),
    import('../../../conformance/run/replay.ts'),
  ]);
  const target = loadTarget(requiredTarget(flags));
  const { signal, stopListening } = interruption(() => process.stderr.write('Interrupted: undoing changes.\n'));
  const environment = nodeEnvironment(target);
  try {
    const again = await replay(id, target, {
      environment,
      kit: 'replay',
      journal: fileJournal(flags.journal, target.baseUrl),
      signal,
      allowLeftovers: flags.allowLeftovers ?? false,
      allowHooks: flags.allowHooks ?? false,
      slow: flags.slow ?? false,
      ...(flags.timeout !== undefined && { timeout: flags.timeout }),
    });
    process.stdout.write(flags.json ? `${JSON.stringify(again.result, null, 2)}\n` : evidenceText(again));
    const { outcome } = again.result;
    const judged = ['pass', 'warn', 'observed'].includes(outcome) && !signal.aborted;
    process.exitCode = outcome === 'fail' && !signal.aborted ? 1 : judged ? 0 : 3;
  } finally {
    environment.close();
    stopListening();
  }
}
