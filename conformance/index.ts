import { appendFileSync, writeFileSync } from 'node:fs';
import { loadTarget, type Target } from '../spec/files/target.ts';
import { loadWaivers, type Waiver } from '../spec/files/waivers.ts';
import { packageVersion } from '../spec/package-facts.ts';
import type { Environment } from './client/environment.ts';
import { nodeEnvironment } from './client/node-environment.ts';
import type { History } from './history/history.ts';
import { ending } from './history/history-file.ts';
import { fileJournal } from './journal/file-journal.ts';
import type { WriteJournal } from './journal/write-journal.ts';
import { reportOf } from './reports/report-of.ts';
import type { Report } from './reports/report-schema.ts';
import { applyWaivers, assertKnownWaivers } from './reports/verdict.ts';
import { plannedLength } from './run/plan.ts';
import { gather, type RunOptions } from './run/run.ts';
import { judgeHistory, laws } from './verdict/judge.ts';
import { assertKnownSelection, rulesOf, type Selection } from './verdict/selection.ts';

export { ConfigurationError } from '../spec/files/configuration-error.ts';
export type { HookName, Hooks } from '../spec/files/hooks.ts';
export { loadTarget, parseTarget, type Target } from '../spec/files/target.ts';
export { loadWaivers, parseWaivers, type Waiver } from '../spec/files/waivers.ts';
export type { LockHolder } from '../spec/lock-file.ts';
export type { Environment, Sending } from './client/environment.ts';
export type { HttpReply, HttpRequest } from './client/http.ts';
export { nodeEnvironment } from './client/node-environment.ts';
export type { Counts } from './experiments/trial.ts';
export type { Credential, Demand, Exchange, Step, Trial } from './history/exchange.ts';
export type { Caller, Facts, LabelKind, Mutation, Owner } from './history/facts.ts';
export type { History, Known, Skipped } from './history/history.ts';
export { historyText, parseHistory } from './history/history-file.ts';
export type { HookCall, HookValue } from './history/hook-call.ts';
export type { Command, CommandResult } from './hooks/command.ts';
export { type Cleanup, type CleanupOptions, cleanup } from './journal/cleanup.ts';
export { type FileJournal, fileJournal } from './journal/file-journal.ts';
export {
  type Borrowed,
  type BorrowedByHook,
  type BorrowedLabel,
  memoryJournal,
  type TurnOptions,
  type WriteJournal,
} from './journal/write-journal.ts';
export type { ProfilePatch } from './profile.ts';
export { type Answer, type Change, type Comparison, compareRuns, type Run } from './reports/compare.ts';
export { consoleReport, type Paint, type Style } from './reports/console.ts';
export { formats, type ReportFormat } from './reports/report-files.ts';
export type { Report, ReportExchange, ReportRow } from './reports/report-schema.ts';
export { readReport } from './reports/report-schema.ts';
export { type Reproduction, reproduce } from './reproduce/reproduce.ts';
export { type Plan, plan } from './run/plan.ts';
export { UntrueTarget } from './run/preflight.ts';
export { PreflightError } from './run/reachable.ts';
export type { Chosen, RunOptions } from './run/run.ts';
export type { ScriptFacts } from './scripts/script.ts';
export type { Holder } from './target/holder.ts';
export type { Outcome } from './verdict/judge.ts';
export { laws } from './verdict/judge.ts';
export type { Breach, Finding, Law } from './verdict/law.ts';
export type { Selection } from './verdict/selection.ts';

/** How a history is judged. */
export interface JudgeOptions extends Selection {
  /** Rules that cannot be judged because the target file lacks something do not make the run incomplete. */
  readonly allowNotRun?: boolean;
  /** A waiver file, or its waivers. */
  readonly waivers?: string | readonly Waiver[];
  /** The time at which waivers are checked for their expiry, in milliseconds since the epoch: now by default. */
  readonly today?: number;
}

/** How a deployment is run against and judged. */
export interface ConformanceOptions
  extends JudgeOptions,
    Omit<RunOptions, 'environment' | 'journal' | 'kit' | 'rules' | 'onError'> {
  /** The real world by default. */
  readonly environment?: Environment;
  /** A file below `.partnerkit` by default, so that `conformance cleanup` can undo what a killed run left. */
  readonly journal?: WriteJournal;
  /** A file that every exchange is written to as it happens, for `conformance judge`. */
  readonly historyFile?: string;
  /** Called with the report of what has happened before the run is rejected with an error of the deployment, of the target file or of its own. */
  readonly onError?: (report: Report) => void;
}

/** The default folder for journals of writes. */
export const defaultJournalFolder = '.partnerkit';

/**
 * Runs the scripts that the selected laws need, and judges the history.
 * @param target a target file, whose `${NAME}` are taken from the environment, or a target
 * @returns everything that reports show; `exitCode` is 0 conformant, 1 non-conformant, 3 incomplete
 * @throws ConfigurationError for a target, filter or waiver that cannot be used, PreflightError when the deployment does not reply, UntrueTarget
 * when the target file does not describe the deployment
 */
export async function runConformance(target: string | Target, options: ConformanceOptions = {}): Promise<Report> {
  const loaded = typeof target === 'string' ? loadTarget(target) : target;
  assertUsable(options);
  const { historyFile: file } = options;
  if (file !== undefined) writeFileSync(file, '', { mode: 0o600 });
  using own = nodeEnvironment(loaded);
  const environment = options.environment ?? own;
  const reported = (history: History) => {
    if (file !== undefined) appendFileSync(file, ending(history));
    return judge(history, { ...options, today: options.today ?? environment.now() });
  };
  const { onExpected, repeat, slow } = options;
  const all = { repeat, slow, allowLeftovers: true, allowRisk: true, allowHooks: true };
  const history = await gather(loaded, {
    ...options,
    ...(onExpected && { onDecided: async (scripts) => onExpected(await plannedLength(loaded, scripts, all)) }),
    onError: (history) => options.onError?.(reported(history)),
    environment,
    journal: options.journal ?? fileJournal(defaultJournalFolder, loaded.baseUrl),
    kit: packageVersion(),
    ...rulesOf(laws, options),
    ...(file !== undefined && { onLine: (line: string) => appendFileSync(file, line) }),
  });
  return reported(history);
}

/**
 * Judges a history without a network: the same history gives the same report.
 * @throws ConfigurationError for a filter or waiver that cannot be used
 */
export function judge(history: History, options: JudgeOptions = {}): Report {
  const waivers = assertUsable(options);
  const results = judgeHistory(history, options);
  const waived = applyWaivers({ ...history, results }, waivers, options.today ?? Date.now(), options.allowNotRun);
  return reportOf(history, results, waived);
}

function assertUsable({ waivers: given = [], ...selection }: JudgeOptions): readonly Waiver[] {
  const waivers = typeof given === 'string' ? loadWaivers(given) : given;
  assertKnownSelection(selection, laws);
  assertKnownWaivers(
    waivers,
    laws.map(({ id }) => id),
    typeof given === 'string' ? given : 'waivers',
  );
  return waivers;
}
