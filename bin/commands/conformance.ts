import { type Command, Option } from '@commander-js/extra-typings';
import { duration, type FlagsOf, parser } from '../option-values.ts';
import { addRenamed } from '../renamed.ts';
import {
  addFilterOptions,
  addJudgeOptions,
  addPerformOptions,
  journalOption,
  targetOption,
} from './conformance/options.ts';

/** Loaded only to run a command. */
const actions = () => import('./conformance/actions.ts');

const date = parser('a date such as 2026-12-31', (text) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined,
);

/** `partnerkit conformance ...`: checks whether a deployment keeps the contract, rule by rule. */
export function define(group: Command): void {
  group.addHelpText('after', '\nExample:\n  partnerkit conformance run --target target.yaml');
  runOptions(group.command('run')).action(async (flags) => (await actions()).run(flags));
  judgeOptions(group.command('judge')).action(async (file, flags) => (await actions()).judgeFile(file, flags));
  reproduceOptions(group.command('reproduce')).action(async (report, rule, flags) =>
    (await actions()).reproduceFailure(report, rule, flags),
  );
  cleanupOptions(group.command('cleanup')).action(async (flags) => (await actions()).undoChanges(flags));
  compareOptions(group.command('compare')).action(async (earlier, later, flags) =>
    (await actions()).compare(earlier, later, flags),
  );
  waiverOptions(group.command('waivers')).action(async (report, file, flags) =>
    (await actions()).writeWaivers(report, file, flags),
  );
  addRenamed(group, {
    init: 'init FILE',
    plan: 'conformance run --dry-run',
    list: 'rules',
    explain: 'rules ID',
    diff: 'conformance compare EARLIER LATER',
    drift: 'conformance compare PROFILE --target FILE',
    replay: 'conformance reproduce REPORT RULE --target FILE',
  });
}

const runOptions = (command: Command) =>
  addJudgeOptions(addPerformOptions(command.description('check a deployment, rule by rule')))
    .option('--dry-run', 'print every request that the run would send, and send none')
    .option('--history <file>', 'write every exchange as it happens, for `conformance judge`')
    .option(
      '--write-profile <file>',
      'write a profile: what this deployment does where the specification is silent, with --history all that differs',
    )
    .addHelpText('after', help.run);
export type RunFlags = FlagsOf<typeof runOptions>;

const judgeOptions = (command: Command) =>
  addJudgeOptions(addFilterOptions(command))
    .argument('<history>', 'file that `conformance run --history` has written')
    .description('judge the history of a run again; sends nothing')
    .addHelpText('after', '\nExample:\n  partnerkit conformance judge run.jsonl --report html=conformance.html');
export type JudgeFlags = FlagsOf<typeof judgeOptions>;

const reproduceOptions = (command: Command) =>
  addPerformOptions(command)
    .argument('<report>', 'JSON report of the run that failed')
    .argument('<rule>', 'id of the law that failed, as the report shows it')
    .description('send exactly the requests that a report shows for a failure again, in seconds')
    .option('--json', 'print JSON')
    .addHelpText('after', help.reproduce);
export type PerformFlags = FlagsOf<typeof reproduceOptions>;

const cleanupOptions = (command: Command) =>
  command
    .description('undo the changes that a killed run has left')
    .addOption(targetOption())
    .option('--timeout <duration>', 'the longest time for one request, such as 30s', duration)
    .addOption(journalOption())
    .option('--forget', 'drop journal entries whose record is gone')
    .option('--allow-hooks', 'run the commands of the target file that undo changes in the product')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  partnerkit conformance cleanup --target target.yaml');
export type CleanupFlags = FlagsOf<typeof cleanupOptions>;

const compareOptions = (command: Command) =>
  addPerformOptions(command)
    .argument('<earlier>', 'JSON report of an earlier run, or a profile that `run --write-profile` has written')
    .argument('[later]', 'JSON report or profile of the later run; without it, --target is run against now')
    .description('compare with an earlier run; exits with 1 if something got worse, or an answer changed')
    .option('--allow-not-run', 'do not exit with 3 if some recorded answers were not seen this time')
    .option('--json', 'print JSON')
    .addHelpText('after', help.compare);
export type CompareFlags = FlagsOf<typeof compareOptions>;

const waiverOptions = (command: Command) =>
  command
    .argument('<report>', 'JSON report of the run with the known failures')
    .argument('[file]', 'file to write', 'waivers.yaml')
    .description('excuse the failures of a run until a date: write a waiver for each, for `run --waivers`')
    .requiredOption('--owner <name>', 'who is responsible for fixing the failures')
    .option('--reason <text>', 'why the failures are accepted for now', 'known when waivers were introduced')
    .addOption(
      new Option('--expires <date>', 'last day on which the failures are excused')
        .default(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10), 'in 30 days')
        .argParser(date),
    )
    .option('--force', 'overwrite the file if it exists')
    .addHelpText('after', '\nExample:\n  partnerkit conformance waivers report.json --owner dana');
export type WaiverFlags = FlagsOf<typeof waiverOptions>;

const help = {
  run: `
Exit codes: 0 conformant, 1 non-conformant (or a waiver is expired or no longer needed), 2 usage, configuration, or a
target file that does not match the deployment, 3 incomplete: something could not be judged, or the run was interrupted.

Examples:
  partnerkit conformance run --target staging.yaml --dry-run
  partnerkit conformance run --target staging.yaml --report html=conformance.html,junit=junit.xml`,
  reproduce: `
Exit codes: 0 the failure was not seen again, 1 it was, 2 usage or configuration, 3 what was sent cannot tell.
What cannot be told in a few requests, such as a limiter, is tried by all its scripts.

Example:
  partnerkit conformance reproduce report.json labels/apply-adds --target staging.yaml`,
  compare: `
Exit codes: 0 nothing got worse, 1 a law got worse or an answer where the specification is silent has changed, 2 usage or
configuration, 3 nothing has changed, but some answers of an earlier profile were not seen.

Examples:
  partnerkit conformance compare earlier.json later.json
  partnerkit conformance compare staging.profile.yaml --target staging.yaml`,
};
