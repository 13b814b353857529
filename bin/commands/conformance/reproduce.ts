import type { Command } from 'commander';
import { interruption } from '../../../spec/interruption.ts';
import { addPerformOptions, optionsOf, type PerformFlags, withExitCodes } from './running/perform.ts';
import { requiredTarget } from './selection-options.ts';

interface ReproduceFlags extends PerformFlags {
  readonly json?: boolean;
}

/** `partnerkit conformance reproduce`: sends the requests of one failure again. */
export function addReproduceCommand(group: Command): void {
  addPerformOptions(
    group
      .command('reproduce')
      .argument('<report>', 'JSON report of the run that failed')
      .argument('<rule>', 'id of the law that failed, as the report shows it')
      .description('send exactly the requests that a report shows for a failure again, in seconds'),
  )
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action((report: string, rule: string, flags: ReproduceFlags) => withExitCodes(() => start(report, rule, flags)));
}

const help = `
Exit codes: 0 the failure was not seen again, 1 it was, 2 usage or configuration, 3 what was sent cannot tell.
What cannot be told in a few requests, such as a limiter, is tried by all its scripts.

Example:
  partnerkit conformance reproduce report.json labels/apply-adds --target staging.yaml`;

async function start(file: string, rule: string, flags: ReproduceFlags): Promise<void> {
  const [
    { fileJournal, loadTarget, nodeEnvironment, readReport, reproduce },
    { reproductionText },
    { packageVersion },
  ] = await Promise.all([
    import('../../../conformance/index.ts'),
    import('../../../conformance/reproduce/reproduce.ts'),
    import('../../../spec/package-facts.ts'),
  ]);
  const report = readReport(file);
  const target = loadTarget(requiredTarget(flags));
  const { signal, stopListening } = interruption(() => process.stderr.write('Interrupted: undoing changes.\n'));
  const environment = nodeEnvironment();
  // It may take two runs, which end together.
  const { maxDuration, ...options } = optionsOf(flags);
  const limit = maxDuration === undefined ? [] : [AbortSignal.timeout(maxDuration)];
  try {
    const again = await reproduce(report, rule, target, {
      ...options,
      environment,
      kit: packageVersion(),
      journal: fileJournal(flags.journal, target.baseUrl),
      signal: AbortSignal.any([signal, ...limit]),
    });
    process.stdout.write(flags.json ? `${JSON.stringify(again, null, 2)}\n` : reproductionText(again, target));
    process.exitCode = { broken: 1, gone: 0, unclear: 3 }[again.outcome];
  } finally {
    environment.close();
    stopListening();
  }
}
