import { existsSync } from 'node:fs';
import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { stringify } from 'yaml';
import { readHistory } from '../../conformance/history/history-file.ts';
import {
  type ConformanceOptions,
  cleanup,
  compareRuns,
  consoleReport,
  fileJournal,
  formats,
  judge,
  laws,
  loadTarget,
  nodeEnvironment,
  plan,
  type Report,
  type Run,
  readReport,
  reproduce,
  runConformance,
  type Selection,
  type Target,
} from '../../conformance/index.ts';
import { profileOf } from '../../conformance/profile.ts';
import { answersThatDiffer, answersUnseen, comparisonText } from '../../conformance/reports/compare.ts';
import { paintFor } from '../../conformance/reports/console.ts';
import { publishTo } from '../../conformance/reports/published.ts';
import { formatNames, writeAll } from '../../conformance/reports/report-files.ts';
import { reproductionText } from '../../conformance/reproduce/reproduce.ts';
import { planText } from '../../conformance/run/plan.ts';
import { assertKnownSelection, rulesOf } from '../../conformance/verdict/selection.ts';
import { measureFidelity } from '../../fidelity/fidelity.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { loadProfile, type Profile, writeProfile } from '../../spec/files/profile.ts';
import { schemaComment } from '../../spec/files/schema-comment.ts';
import { parseWaivers } from '../../spec/files/waivers.ts';
import { interruption } from '../../spec/interruption.ts';
import { ownCommand, packaged, packageVersion } from '../../spec/package-facts.ts';
import { commandLine } from '../../spec/text/shell-quoted.ts';
import { terminalLine } from '../../spec/text/terminal-text.ts';
import { duration, type FlagsOf, positiveInteger, repeatable, requiredTarget } from '../option-values.ts';
import { anotherRun, showProgress } from '../output/progress.ts';
import { assertWritable, publish, sayWritten, writeOnce } from '../output/publish.ts';
import { readRecorded } from './fidelity/recorded.ts';
import { reportOption } from './report-option.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

/** `partnerkit conformance ...`: checks whether a deployment keeps the contract, rule by rule. */
export function define(group: Command): void {
  group.addHelpText('after', '\nExample:\n  partnerkit conformance run --target target.yaml');
  addJudgeOptions(addPerformOptions(group.command('run').description('check a deployment, rule by rule')))
    .option('--dry-run', 'print every request that the run would send, and send none')
    .option('--history <file>', 'write every exchange as it happens, for `conformance judge`')
    .option('--write-profile <file>', 'write what this deployment does where the specification is silent')
    .addHelpText(
      'after',
      `
Exit codes: 0 conformant, 1 non-conformant (or a waiver is expired or no longer needed), 2 usage, configuration, or a
target file that does not match the deployment, 3 incomplete: something could not be judged, or the run was interrupted.

Examples:
  partnerkit conformance run --target staging.yaml --dry-run
  partnerkit conformance run --target staging.yaml --report html=conformance.html,junit=junit.xml`,
    )
    .action(async (flags) => {
      const target = loadTarget(requiredTarget(flags));
      if (flags.dryRun) {
        const selection = selectionOf(flags);
        assertKnownSelection(selection, laws);
        const planned = await plan(target, { ...flags, ...rulesOf(laws, selection) });
        process.stdout.write(flags.json ? `${JSON.stringify(planned, null, 2)}\n` : planText(planned));
        return;
      }
      const more = [flags.writeProfile, flags.history];
      await assertWritable(flags.report, more);
      let unfinished: Report | undefined;
      const report = await perform(target, flags, {
        historyFile: flags.history,
        onError: (one) => {
          unfinished = one;
        },
      }).catch(async (error: unknown) => {
        if (unfinished !== undefined) await writeAll(unfinished, flags.report, formats);
        throw error;
      });
      if (flags.writeProfile !== undefined)
        writeProfile(flags.writeProfile, await learned(flags.history, profileOf(report, target)));
      const command = commandLine([...ownCommand(), ...process.argv.slice(2)]);
      await show({ ...report, target: { ...report.target, file: requiredTarget(flags), command } }, flags, more);
    });

  addJudgeOptions(addFilterOptions(group.command('judge')))
    .argument('<history>', 'file that `conformance run --history` has written')
    .description('judge the history of a run again; sends nothing')
    .addHelpText('after', '\nExample:\n  partnerkit conformance judge run.jsonl --report html=conformance.html')
    .action(async (file, flags) => {
      await assertWritable(flags.report);
      await show(judge(readHistory(file), { ...flags, ...selectionOf(flags) }), flags);
    });

  addPerformOptions(group.command('reproduce'))
    .argument('<report>', 'JSON report of the run that failed')
    .argument('<rule>', 'id of the rule that failed, as the report shows it')
    .description('send exactly the requests that a report shows for a failure again, in seconds')
    .addHelpText(
      'after',
      `
Exit codes: 0 the failure was not seen again, 1 it was, 2 usage or configuration, 3 what was sent cannot tell.
What cannot be told in a few requests, such as a limiter, is tried by all its scripts.

Example:
  partnerkit conformance reproduce report.json labels/apply-adds --target staging.yaml`,
    )
    .action(async (file, rule, flags) => {
      const report = readReport(file);
      const target = loadTarget(requiredTarget(flags));
      using interrupted = interruption(() => say('Interrupted: undoing changes.'));
      using environment = nodeEnvironment(target);
      // It may take two runs, which end together.
      const { maxDuration, ...options } = flags;
      const limit = maxDuration === undefined ? [] : [AbortSignal.timeout(maxDuration)];
      const again = await reproduce(report, rule, target, {
        ...options,
        environment,
        kit: packageVersion(),
        journal: fileJournal(flags.journal, target.baseUrl),
        signal: AbortSignal.any([interrupted.signal, ...limit]),
      });
      process.stdout.write(reproductionText(again, target));
      process.exitCode = { broken: 1, gone: 0, unclear: 3 }[again.outcome];
    });

  group
    .command('cleanup')
    .description('undo the changes that a killed run has left')
    .addOption(targetOption())
    .option('--timeout <duration>', 'the longest time for one request, such as 30s', duration)
    .addOption(journalOption())
    .option('--allow-hooks', 'run the commands of the target file that undo changes in the product')
    .addHelpText('after', '\nExample:\n  partnerkit conformance cleanup --target target.yaml')
    .action(async (flags) => {
      const target = loadTarget(requiredTarget(flags));
      const journal = fileJournal(flags.journal, target.baseUrl);
      using environment = nodeEnvironment(target);
      const undo = () =>
        cleanup(target, {
          ...flags,
          environment,
          journal,
          onWait: (ms) => say(`Waiting ${Math.ceil(ms / 1000)} s, because an unanswered write may still arrive.`),
          onTurn: (other) => say(`${anotherRun(other)}: its changes are undone when that has ended.`),
        });
      // A run makes the folder before its first write.
      const done = existsSync(flags.journal) ? await undo() : { returned: [], left: [] };
      const lines = [
        ...done.returned.map((what) => `undone: ${what}`),
        ...done.left.map(({ what, why }) => `not undone: ${what}: ${why}`),
        ...(done.left.length > 0 ? [`What is gone for good can be taken out of ${journal.file}.`] : []),
      ];
      const text = lines.length > 0 ? lines.map(terminalLine).join('\n') : `Nothing to clean up in ${journal.file}.`;
      process.stdout.write(`${text}\n`);
      process.exitCode = done.left.length > 0 ? 3 : 0;
    });

  addPerformOptions(group.command('compare'))
    .argument('<earlier>', 'JSON report of an earlier run, or a profile that `run --write-profile` has written')
    .argument('[later]', 'JSON report or profile of the later run; without it, --target is run against now')
    .description('compare with an earlier run; exits with 1 if something got worse, or an answer changed')
    .option('--allow-not-run', 'do not exit with 3 if some recorded answers were not seen this time')
    .addHelpText(
      'after',
      `
Exit codes: 0 nothing got worse, 1 a law got worse or an answer where the specification is silent has changed, 2 usage or
configuration, 3 nothing has changed, but some answers of an earlier profile were not seen.

Examples:
  partnerkit conformance compare earlier.json later.json
  partnerkit conformance compare staging.profile.yaml --target staging.yaml`,
    )
    .action(async (earlier, later, flags) => {
      const before = readRun(earlier);
      const after = later === undefined ? await perform(loadTarget(requiredTarget(flags)), flags) : readRun(later);
      const comparison = compareRuns(before, after);
      process.stdout.write(comparisonText(comparison));
      const isWorse = comparison.worse.length + answersThatDiffer(comparison).length > 0;
      // Between two reports, the laws say what was not judged.
      const lacks = before.rows === undefined && answersUnseen(comparison).length > 0 && !flags.allowNotRun;
      process.exitCode = isWorse ? 1 : lacks ? 3 : 0;
    });

  group
    .command('waivers')
    .argument('<report>', 'JSON report of the run with the known failures')
    .argument('[file]', 'file to write', 'waivers.yaml')
    .description('excuse the failures of a run for 30 days: write a waiver for each, for `run --waivers`')
    .requiredOption('--owner <name>', 'who is responsible for fixing the failures')
    .option('--force', 'overwrite the file if it exists')
    .addHelpText('after', '\nExample:\n  partnerkit conformance waivers report.json --owner dana')
    .action((report, file, { force, owner }) => {
      const failed = readReport(report).rows.filter(({ outcome }) => outcome === 'fail');
      if (failed.length === 0)
        throw new ConfigurationError([`${report}: no law failed in that run, so no waiver is needed`]);
      const expires = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
      const terms = { reason: 'known when waivers were introduced', owner, expires };
      const waivers = parseWaivers({ waivers: failed.map(({ id }) => ({ id, ...terms })) }, 'waivers');
      writeOnce(file, schemaComment(file, packaged('spec/files/waivers.schema.json')) + stringify({ waivers }), force);
      process.stdout.write(
        `${file} excuses these failures until ${expires}:\n${failed.map(({ id }) => `  ${id}\n`).join('')}` +
          `Write the reason and the last day of each into the file, then run with --waivers ${file}\n`,
      );
    });
}

const targetOption = () => new Option('--target <file>', 'target file that describes the deployment');

const journalOption = () =>
  new Option('--journal <folder>', 'folder of the journal that keeps writes until they are undone').default(
    '.partnerkit' as string,
  );

/** `--only --skip`, each repeatable and with commas. */
const addFilterOptions = <Args extends unknown[], Others extends OptionValues>(command: Command<Args, Others>) =>
  command
    .addOption(repeatable('--only <ids>', 'only these rules: ids, how they start, or must, documented', words, 'all'))
    .addOption(repeatable('--skip <ids>', 'all rules except these, such as limits, which use up a key', words))
    .option(
      '--only-failed <report>',
      'only rules that failed, were inconclusive, had an error, or were cut off in this JSON report',
    );

/** The target, the filters, and what the run is allowed to do, and how much. */
const addPerformOptions = <Args extends unknown[], Others extends OptionValues>(command: Command<Args, Others>) =>
  addFilterOptions(command.addOption(targetOption()))
    .option('--read-only', 'write nothing')
    .option('--allow-leftovers', 'allow checks that register files, which the API cannot delete')
    .option('--allow-risk', 'allow checks in which a wrong deployment could lose data for good; see --dry-run')
    .option('--allow-hooks', 'run the commands of the target file, which make changes in the product')
    .option('--slow', 'include scripts that take more than five minutes')
    .option('--repeat <number>', 'repeat scripts so often: ten find what happens one time in ten', positiveInteger)
    .option('--timeout <duration>', 'the longest time for one request, such as 30s', duration)
    .option('--max-duration <duration>', 'end the run within this time, of which ten seconds are for undoing', duration)
    .addOption(journalOption());

/** What makes a verdict of a history, and where it is written. */
const addJudgeOptions = <Args extends unknown[], Others extends OptionValues>(command: Command<Args, Others>) =>
  command
    .option('--allow-not-run', 'do not exit with 3 for rules that need more in the target file')
    .option('--waivers <file>', 'known failures, excused until a date; `conformance waivers` writes this file')
    .option('--json', 'print the JSON report instead of text')
    .addOption(reportOption(formatNames))
    .option('--publish <folder>', 'add the report, its summary and badges to this folder, with an index of its runs')
    .option('--implementation <text>', 'name and version of what is judged, for --publish (default: its address)');

/** What stands between commas. */
const words = (text: string) => text.split(',').flatMap((word) => word.trim() || []);

const performOptions = (command: Command) => addPerformOptions(command);
/** What a run is allowed to do. */
type PerformFlags = FlagsOf<typeof performOptions>;

const judgeOptions = (command: Command) => addJudgeOptions(addFilterOptions(command));
/** How a history is judged, and where the verdict is written. */
type JudgeFlags = FlagsOf<typeof judgeOptions>;

/** What the rules of a run have observed, and with its history every difference that the mock can imitate. */
async function learned(file: string | undefined, observed: Profile): Promise<Profile> {
  if (file === undefined) return observed;
  say('Learning the profile from what was recorded.');
  const { learned } = await measureFidelity(readRecorded(file).recording, { source: file, learnFrom: observed });
  return learned?.profile ?? observed;
}

const readRun = (file: string): Run =>
  /\.json$/i.test(file) ? (readReport(file) as Run) : { profile: loadProfile(file) };

/** Prints and writes a verdict, and sets the exit code. */
async function show(report: Report, flags: JudgeFlags, more: readonly (string | undefined)[] = []): Promise<void> {
  const files = Object.fromEntries(flags.report.map(({ format, path }) => [format, path]));
  const text = flags.json ? formats.json(report) : consoleReport(report, paintFor(process.stdout), files);
  await publish(report, { text, files: flags.report, formats, more });
  if (flags.publish !== undefined)
    sayWritten(await publishTo(flags.publish, report, flags.implementation ?? report.target.baseUrl));
}

/** Runs conformance with progress on stderr. When it is interrupted, it undoes its changes. */
async function perform(target: Target, flags: PerformFlags, more: ConformanceOptions = {}): Promise<Report> {
  using progress = showProgress('scripts');
  const journal = fileJournal(flags.journal, target.baseUrl);
  const pending = (await journal.pending()).length;
  if (pending > 0) {
    const from = ['--target', requiredTarget(flags), '--journal', flags.journal];
    const undo = commandLine([...ownCommand(), 'conformance', 'cleanup', ...from]);
    progress.say(`An earlier run has left ${pending} ${pending === 1 ? 'change' : 'changes'}. Undo with: ${undo}`);
  }
  using interrupted = interruption(() =>
    progress.say('Interrupted: undoing changes. Press Ctrl-C again to end at once.'),
  );
  return await runConformance(target, {
    ...flags,
    ...more,
    ...selectionOf(flags),
    journal,
    signal: interrupted.signal,
    onStart: progress.onStart,
    onWait: (other) => progress.say(`${anotherRun(other)}: this one begins when that has ended.`),
    onDone: progress.onDone,
    ...(process.stderr.isTTY && { onExpected: progress.onExpected }),
    onExchange: progress.onExchange,
  });
}

function selectionOf({ only, skip, onlyFailed }: Pick<JudgeFlags, 'only' | 'skip' | 'onlyFailed'>): Selection {
  if (onlyFailed === undefined) return { only, skip };
  if (only.length > 0) throw new ConfigurationError(['--only and --only-failed: give only one of them']);
  const { rows, interrupted, blocked } = readReport(onlyFailed);
  const isCut = interrupted || blocked !== undefined;
  const unsettled = ['fail', 'error', 'inconclusive', ...(isCut ? ['not-run'] : [])];
  const ids = rows.flatMap(({ id, outcome }) => (unsettled.includes(outcome) ? [id] : []));
  // A run that selects nothing must not look like a success.
  if (ids.length > 0) return { only: ids, skip };
  throw new ConfigurationError([
    `${onlyFailed}: nothing failed in that run and nothing was inconclusive; leave out --only-failed`,
  ]);
}
