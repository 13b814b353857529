import type { Command } from 'commander';
import type { ConformanceOptions } from '../../../../conformance/index.ts';
import type { Ticket } from '../../../../conformance/journal/turn.ts';
import type { Report } from '../../../../conformance/reports/report-schema.ts';
import type { Target } from '../../../../spec/files/target.ts';
import { interruption } from '../../../../spec/interruption.ts';
import { duration, positiveInteger } from '../../../option-values.ts';
import {
  addSelectionOptions,
  addTargetOption,
  type ChosenFlags,
  chosenOf,
  type SelectionFlags,
  selectionOf,
  type TargetFlag,
} from '../selection-options.ts';

/** The run that one has to wait for, in words. */
export const anotherRun = ({ pid, host, since }: Ticket): string =>
  `Another run on the same records, process ${pid} of ${host}, is going on since ${since}`;

/** The options of every command that runs conformance. */
export interface PerformFlags extends SelectionFlags, ChosenFlags, TargetFlag {
  readonly timeout?: number;
  readonly budget?: number;
  readonly maxDuration?: number;
  readonly journal: string;
}

export const addPerformOptions = (command: Command): Command =>
  addSelectionOptions(addTargetOption(command))
    .option('--timeout <duration>', 'the longest time for one request, such as 30s', duration)
    .option('--budget <number>', 'send no more requests than this', positiveInteger)
    .option(
      '--max-duration <duration>',
      'end the run within this time, its last ten seconds kept for undoing; if laws were not judged, the run is incomplete',
      duration,
    )
    .option('--journal <folder>', 'folder of the journal that keeps writes until they are undone', '.partnerkit');

/** What the options say of a run. */
export const optionsOf = ({ timeout, budget, maxDuration, ...flags }: PerformFlags) => ({
  ...chosenOf(flags),
  ...(timeout !== undefined && { timeout }),
  ...(budget !== undefined && { budget }),
  ...(maxDuration !== undefined && { maxDuration }),
});

/** Runs conformance with progress on stderr. When it is interrupted, it undoes its changes. */
export async function perform(target: Target, flags: PerformFlags, more: ConformanceOptions = {}): Promise<Report> {
  const [{ fileJournal, runConformance }, { paintFor }, { progressOn }] = await Promise.all([
    import('../../../../conformance/index.ts'),
    import('../../../../conformance/reports/console.ts'),
    import('./progress.ts'),
  ]);
  const selection = await selectionOf(flags);
  const progress = progressOn(process.stderr, paintFor(process.stderr));
  const journal = fileJournal(flags.journal, target.baseUrl);
  const pending = (await journal.pending()).length;
  if (pending > 0)
    progress.say(
      `An earlier run has left ${pending} ${pending === 1 ? 'change' : 'changes'}. Undo with: partnerkit conformance cleanup`,
    );
  const { signal, stopListening } = interruption(() =>
    progress.say('Interrupted: undoing changes. Press Ctrl-C again to end at once.'),
  );
  try {
    return await runConformance(target, {
      ...selection,
      ...optionsOf(flags),
      ...more,
      journal,
      signal,
      onStart: progress.onStart,
      onWait: (other) => progress.say(`${anotherRun(other)}: this one begins when that has ended.`),
      onDone: progress.onDone,
    });
  } finally {
    progress.end();
    stopListening();
  }
}

/** Runs a command. Reports a deployment that cannot be reached (exit 3) and a target file that does not match it (exit 2). */
export async function withExitCodes(run: () => Promise<void>): Promise<void> {
  const { PreflightError, UntrueTarget } = await import('../../../../conformance/index.ts');
  try {
    await run();
  } catch (error) {
    if (!(error instanceof PreflightError || error instanceof UntrueTarget)) throw error;
    process.stderr.write(`partnerkit: ${error.message}\n`);
    process.exitCode = error instanceof UntrueTarget ? 2 : 3;
  }
}
