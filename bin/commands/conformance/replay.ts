import { type Command, Option } from 'commander';
import { duration } from '../../option-values.ts';
import { interruption } from './interruption.ts';
import { addTargetOption, requiredTarget, type TargetFlag } from './selection-options.ts';

interface ReplayFlags extends TargetFlag {
  readonly timeout?: number;
  readonly allowLeftovers?: boolean;
  readonly journal: string;
  readonly json?: boolean;
}

/** `partnerkit conformance replay`: one check again, with everything that went over the wire. */
export function addReplayCommand(group: Command): void {
  const command = group
    .command('replay')
    .argument('<id>', 'id of a check, as reports show it')
    .description('run one check and print everything that went over the wire');
  addTargetOption(command)
    .addOption(new Option('--timeout <duration>', 'what one request may take, such as 30s').argParser(duration))
    .option('--allow-leftovers', 'run it even if it leaves a file behind')
    .option('--journal <folder>', 'where writes are remembered until they are undone', '.partnerkit')
    .option('--json', 'print JSON')
    .action(start);
}

async function start(id: string, flags: ReplayFlags): Promise<void> {
  const [{ PreflightError, fileJournal, loadTarget }, { evidenceText, replay }] = await Promise.all([
    import('../../../conformance/index.ts'),
    import('../../../conformance/replay.ts'),
  ]);
  const target = loadTarget(requiredTarget(flags));
  const { signal, stopListening } = interruption(() => process.stderr.write('Interrupted: taking labels off again.\n'));
  try {
    const row = await replay(id, target, {
      journal: fileJournal(flags.journal, target.baseUrl),
      signal,
      allowLeftovers: flags.allowLeftovers ?? false,
      ...(flags.timeout !== undefined && { timeout: flags.timeout }),
    });
    process.stdout.write(flags.json ? `${JSON.stringify(row, null, 2)}\n` : evidenceText(row));
    const judged = ['pass', 'warn', 'observed'].includes(row.outcome) && !signal.aborted;
    process.exitCode = row.outcome === 'fail' && !signal.aborted ? 1 : judged ? 0 : 3;
  } catch (error) {
    if (!(error instanceof PreflightError)) throw error;
    process.stderr.write(`partnerkit: ${error.message}\n`);
    process.exitCode = 3;
  } finally {
    stopListening();
  }
}
