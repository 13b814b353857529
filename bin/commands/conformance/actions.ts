import { existsSync } from 'node:fs';
import { stringify } from 'yaml';
import { readHistory } from '../../../conformance/history/history-file.ts';
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
} from '../../../conformance/index.ts';
import { profileOf } from '../../../conformance/profile.ts';
import { answersThatDiffer, answersUnseen, comparisonText } from '../../../conformance/reports/compare.ts';
import { paintFor } from '../../../conformance/reports/console.ts';
import { publishTo } from '../../../conformance/reports/published.ts';
import { writeAll } from '../../../conformance/reports/report-files.ts';
import { reproductionText } from '../../../conformance/reproduce/reproduce.ts';
import { planText } from '../../../conformance/run/plan.ts';
import { assertKnownSelection, rulesOf } from '../../../conformance/verdict/selection.ts';
import { measureFidelity } from '../../../fidelity/fidelity.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { loadProfile, type Profile, writeProfile } from '../../../spec/files/profile.ts';
import { schemaComment } from '../../../spec/files/schema-comment.ts';
import { parseWaivers } from '../../../spec/files/waivers.ts';
import { interruption } from '../../../spec/interruption.ts';
import { ownCommand, packaged, packageVersion } from '../../../spec/package-facts.ts';
import { commandLine } from '../../../spec/text/shell-quoted.ts';
import { terminalLine } from '../../../spec/text/terminal-text.ts';
import { anotherRun, showProgress } from '../../output/progress.ts';
import { assertWritable, publish, sayWritten, writeOnce } from '../../output/publish.ts';
import { readRecorded } from '../fidelity/recorded.ts';
import {
  type CleanupFlags,
  type CompareFlags,
  type JudgeFlags,
  journalOption,
  type PerformFlags,
  type RunFlags,
  requiredTarget,
  type WaiverFlags,
} from './options.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);
const asJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** `run`: checks a deployment, rule by rule. */
export async function run(flags: RunFlags): Promise<void> {
  const target = loadTarget(requiredTarget(flags));
  if (flags.dryRun) {
    const selection = selectionOf(flags);
    assertKnownSelection(selection, laws);
    const planned = await plan(target, { ...flags, ...rulesOf(laws, selection) });
    process.stdout.write(flags.json ? asJson(planned) : planText(planned));
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
}

/** What the rules of a run have observed, and with its history every difference that the mock can imitate. */
async function learned(file: string | undefined, observed: Profile): Promise<Profile> {
  if (file === undefined) return observed;
  say('Learning the profile from what was recorded.');
  const { learned } = await measureFidelity(readRecorded(file).recording, { source: file, learnFrom: observed });
  return learned?.profile ?? observed;
}

/** `judge`: judges an earlier run again, without a network. */
export async function judgeFile(file: string, flags: JudgeFlags): Promise<void> {
  await assertWritable(flags.report);
  await show(judge(readHistory(file), { ...flags, ...selectionOf(flags) }), flags);
}

/** `reproduce`: sends the requests of one failure again. */
export async function reproduceFailure(file: string, rule: string, flags: PerformFlags): Promise<void> {
  const report = readReport(file);
  const target = loadTarget(requiredTarget(flags));
  using interrupted = interruption(() => say('Interrupted: undoing changes.'));
  using environment = nodeEnvironment();
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
  process.stdout.write(flags.json ? asJson(again) : reproductionText(again, target));
  process.exitCode = { broken: 1, gone: 0, unclear: 3 }[again.outcome];
}

/** `cleanup`: undoes the changes that a killed run has left. */
export async function undoChanges(flags: CleanupFlags): Promise<void> {
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
  process.stdout.write(flags.json ? asJson(done) : `${text}\n`);
  process.exitCode = done.left.length > 0 ? 3 : 0;
}

/** `compare`: what has changed since an earlier run. */
export async function compare(earlier: string, later: string | undefined, flags: CompareFlags): Promise<void> {
  const before = readRun(earlier);
  const after = later === undefined ? await perform(loadTarget(requiredTarget(flags)), flags) : readRun(later);
  const comparison = compareRuns(before, after);
  process.stdout.write(flags.json ? asJson(comparison) : comparisonText(comparison));
  const isWorse = comparison.worse.length + answersThatDiffer(comparison).length > 0;
  // Between two reports, the laws say what was not judged.
  const lacks = before.rows === undefined && answersUnseen(comparison).length > 0 && !flags.allowNotRun;
  process.exitCode = isWorse ? 1 : lacks ? 3 : 0;
}

const readRun = (file: string): Run =>
  /\.json$/i.test(file) ? (readReport(file) as Run) : { profile: loadProfile(file) };

/** `waivers`: writes waivers for known failures. */
export function writeWaivers(report: string, file: string, { force, ...terms }: WaiverFlags): void {
  const failed = readReport(report).rows.filter(({ outcome }) => outcome === 'fail');
  if (failed.length === 0)
    throw new ConfigurationError([`${report}: no law failed in that run, so no waiver is needed`]);
  const waivers = parseWaivers({ waivers: failed.map(({ id }) => ({ id, ...terms })) }, 'waivers');
  writeOnce(file, schemaComment(file, packaged('spec/files/waivers.schema.json')) + stringify({ waivers }), force);
  process.stdout.write(
    `${file} excuses these failures until ${terms.expires}:\n${failed.map(({ id }) => `  ${id}\n`).join('')}` +
      `Write the reason of each into the file, then run with --waivers ${file}\n`,
  );
}

/** Prints and writes a verdict, and sets the exit code. */
async function show(report: Report, flags: JudgeFlags, more: readonly (string | undefined)[] = []): Promise<void> {
  const json = flags.report.find(({ format }) => format === 'json')?.path;
  const text = flags.json ? formats.json(report) : consoleReport(report, paintFor(process.stdout), json);
  await publish(report, { text, files: flags.report, formats, more });
  if (flags.publish !== undefined)
    sayWritten(await publishTo(flags.publish, report, flags.implementation ?? report.target.baseUrl));
}

/** Runs conformance with progress on stderr. When it is interrupted, it undoes its changes. */
async function perform(target: Target, flags: PerformFlags | RunFlags, more: ConformanceOptions = {}): Promise<Report> {
  using progress = showProgress('scripts');
  const journal = fileJournal(flags.journal, target.baseUrl);
  const pending = (await journal.pending()).length;
  if (pending > 0) {
    const where = flags.journal === journalOption().defaultValue ? [] : ['--journal', flags.journal];
    const undo = commandLine([...ownCommand(), 'conformance', 'cleanup', '--target', requiredTarget(flags), ...where]);
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
