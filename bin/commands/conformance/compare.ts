import type { Command } from 'commander';
import type { Run } from '../../../conformance/index.ts';
import { addPerformOptions, type PerformFlags, perform, withExitCodes } from './running/perform.ts';
import { requiredTarget } from './selection-options.ts';

interface CompareFlags extends PerformFlags {
  readonly allowNotRun?: boolean;
  readonly json?: boolean;
}

/** `partnerkit conformance compare`: what has changed since an earlier run. */
export function addCompareCommand(group: Command): void {
  addPerformOptions(
    group
      .command('compare')
      .argument(
        '<earlier>',
        'JSON report of an earlier run, or a profile that `conformance run --write-profile` has written',
      )
      .argument(
        '[later]',
        'JSON report or profile of the later run; without it, the deployment of --target is run against now',
      )
      .description('compare with an earlier run; exits with 1 if something got worse, or an answer changed'),
  )
    .option('--allow-not-run', 'do not exit with 3 if some recorded answers were not seen this time')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action((earlier: string, later: string | undefined, flags: CompareFlags) =>
      withExitCodes(() => start(earlier, later, flags)),
    );
}

const help = `
Exit codes: 0 nothing got worse, 1 a law got worse or an answer where the specification is silent has changed, 2 usage or
configuration, 3 nothing has changed, but some answers of an earlier profile were not seen.

Examples:
  partnerkit conformance compare earlier.json later.json
  partnerkit conformance compare staging.profile.yaml --target staging.yaml`;

async function start(earlier: string, later: string | undefined, flags: CompareFlags): Promise<void> {
  const [{ compareRuns, loadTarget }, { answersThatDiffer, answersUnseen, comparisonText }] = await Promise.all([
    import('../../../conformance/index.ts'),
    import('../../../conformance/reports/compare.ts'),
  ]);
  const before = await readRun(earlier);
  const after = later === undefined ? await perform(loadTarget(requiredTarget(flags)), flags) : await readRun(later);
  const comparison = compareRuns(before, after);
  process.stdout.write(flags.json ? `${JSON.stringify(comparison, null, 2)}\n` : comparisonText(comparison));
  const isWorse = comparison.worse.length + answersThatDiffer(comparison).length > 0;
  // Between two reports, the laws say what was not judged.
  const lacks = before.rows === undefined && answersUnseen(comparison).length > 0 && !flags.allowNotRun;
  process.exitCode = isWorse ? 1 : lacks ? 3 : 0;
}

async function readRun(file: string): Promise<Run> {
  const [{ readReport }, { loadProfile }] = await Promise.all([
    import('../../../conformance/index.ts'),
    import('../../../spec/files/profile.ts'),
  ]);
  return /\.json$/i.test(file) ? (readReport(file) as Run) : { profile: loadProfile(file) };
}
