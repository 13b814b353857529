import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { duration } from '../../option-values.ts';
import { anotherRun } from './running/perform.ts';
import { addTargetOption, requiredTarget, type TargetFlag } from './selection-options.ts';

interface CleanupFlags extends TargetFlag {
  readonly timeout?: number;
  readonly journal: string;
  readonly forget?: boolean;
  readonly allowHooks?: boolean;
  readonly json?: boolean;
}

/** `partnerkit conformance cleanup`: undoes the changes that a killed run has left. */
export function addCleanupCommand(group: Command): void {
  const command = group
    .command('cleanup')
    .description('undo the changes that a killed run has left')
    .addHelpText('after', '\nExample:\n  partnerkit conformance cleanup --target target.yaml');
  addTargetOption(command)
    .option('--timeout <duration>', 'the longest time for one request, such as 30s', duration)
    .option('--journal <folder>', 'folder of the journal of writes', '.partnerkit')
    .option('--forget', 'drop journal entries whose record is gone or that cannot be read')
    .option('--allow-hooks', 'run the commands of the target file that undo changes in the product')
    .option('--json', 'print JSON')
    .action(start);
}

async function start(flags: CleanupFlags): Promise<void> {
  const [{ cleanup, fileJournal, loadTarget, nodeEnvironment }, { terminalLine }] = await Promise.all([
    import('../../../conformance/index.ts'),
    import('../../../spec/text/terminal-text.ts'),
  ]);
  const target = loadTarget(requiredTarget(flags));
  const journal = fileJournal(flags.journal, target.baseUrl);
  const environment = nodeEnvironment(target);
  try {
    const { timeout, forget = false, allowHooks = false } = flags;
    // A run makes the folder before its first write.
    const none = { returned: [], forgotten: [], left: [] };
    const undo = () =>
      cleanup(target, {
        environment,
        journal,
        forget,
        allowHooks,
        onWait: (ms) =>
          process.stderr.write(`Waiting ${Math.ceil(ms / 1000)} s, because an unanswered write may still arrive.\n`),
        onTurn: (other) => process.stderr.write(`${anotherRun(other)}: its changes are undone when that has ended.\n`),
        ...(timeout !== undefined && { timeout }),
      });
    const done = existsSync(flags.journal) ? await undo() : none;
    const lines = [
      ...done.returned.map((what) => `undone: ${what}`),
      ...done.forgotten.map((what) => `dropped: ${what}`),
      ...done.left.map(({ what, why }) => `not undone: ${what}: ${why}`),
    ];
    const text = lines.length > 0 ? lines.map(terminalLine).join('\n') : `Nothing to clean up in ${journal.file}.`;
    process.stdout.write(flags.json ? `${JSON.stringify(done, null, 2)}\n` : `${text}\n`);
    process.exitCode = done.left.length > 0 ? 3 : 0;
  } finally {
    environment.close();
  }
}
