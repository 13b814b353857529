import type { Target } from '../../spec/files/target.ts';
import type { Ask } from '../client/ask.ts';
import { createClient } from '../client/client.ts';
import type { Environment } from '../client/environment.ts';
import { callWords, commandOf } from '../hooks/command.ts';
import { deploymentOf } from '../target/deployment.ts';
import { isSpare } from '../target/records.ts';
import { redactionOf } from '../target/secrets.ts';
import type { BadLine, FileJournal } from './file-journal.ts';
import type { TurnOptions } from './turn.ts';
import { undoLabel } from './undo-label.ts';
import {
  type Borrowed,
  type BorrowedByHook,
  type BorrowedLabel,
  labelWords,
  type WriteJournal,
} from './write-journal.ts';

/** How changes are undone. */
export interface CleanupOptions {
  readonly environment: Environment;
  readonly journal: WriteJournal & Partial<Pick<FileJournal, 'sweep'>>;
  /** Milliseconds per request: 30,000 by default. */
  readonly timeout?: number;
  /** Called with the milliseconds for which an unanswered write may still arrive, before that is waited for. */
  readonly onWait?: (milliseconds: number) => void;
  /** Called once if a run that is still going on writes to the same records. It ends first. */
  readonly onTurn?: TurnOptions['onWait'];
  /** Drops entries that cannot be undone: missing records, tenants that the target file does not name, unreadable lines. */
  readonly forget?: boolean;
  /** Runs the hooks that undo changes of other hooks. */
  readonly allowHooks?: boolean;
  readonly signal?: AbortSignal;
}

/** What became of the changes that were found. */
export interface Cleanup {
  /** Changes that were undone, in words. */
  readonly returned: readonly string[];
  /** Changes that were not undone, or perhaps not, with the reason. */
  readonly left: readonly { readonly what: string; readonly why: string }[];
  /** Entries that were dropped because of `forget`. */
  readonly forgotten: readonly string[];
}

/** Undoes what earlier runs changed and could not undo, because they were killed or lost their network. */
export async function cleanup(target: Target, options: CleanupOptions): Promise<Cleanup> {
  const { journal, signal, onTurn } = options;
  // A run that is going on would take the undone writes for a fault of the deployment.
  const endTurn = await journal.turn?.({ signal, onWait: onTurn });
  try {
    return await cleanUp(target, options);
  } finally {
    await endTurn?.();
  }
}

async function cleanUp(target: Target, options: CleanupOptions): Promise<Cleanup> {
  const { environment, journal, forget = false, signal } = options;
  const returned: string[] = [];
  const left: Cleanup['left'][number][] = [];
  const forgotten: string[] = [];

  /** @returns until when a write may arrive that changes it again, in milliseconds since the epoch; 0 where it is settled */
  const settle = async (entry: Borrowed): Promise<number> => {
    const what = inWords(entry);
    const sentAt = environment.now();
    const result = 'hook' in entry ? await undoHook(entry, target, options) : await undoWrite(entry, target, options);
    const until = 'hook' in entry ? 0 : (entry.until ?? 0);
    if (result.done && sentAt < until) return until;
    if (result.done || (forget && result.gone)) {
      await journal.returned(entry);
      (result.done ? returned : forgotten).push(what);
    } else {
      const remedy = result.gone ? '; if that will not change, drop this entry with --forget' : '';
      left.push({ what, why: result.why + remedy });
    }
    return 0;
  };

  let entries = await journal.pending();
  while (entries.length > 0) {
    const early: Borrowed[] = [];
    let last = 0;
    for (const entry of entries) {
      const until = await settle(entry);
      if (until > 0) early.push(entry);
      last = Math.max(last, until);
    }
    entries = early;
    if (early.length === 0) break;
    options.onWait?.(last - environment.now());
    await environment.sleep(last - environment.now() + 1, signal);
    if (!signal?.aborted) continue;
    const why = 'interrupted while an unanswered write could still arrive: run cleanup again';
    left.push(...early.map((entry) => ({ what: inWords(entry), why })));
    break;
  }

  const { dropped = [], kept = [] } = (await journal.sweep?.(forget)) ?? {};
  forgotten.push(...dropped.map(lineWords));
  const why = 'the line is not a journal entry; look at the line, then drop it with --forget';
  left.push(...kept.map((line) => ({ what: lineWords(line), why })));
  return { returned, left, forgotten };
}

/** `gone`: a retry will not help either, because the record, tenant or hook does not exist. */
type UndoResult = { readonly done: true } | { readonly done: false; readonly gone: boolean; readonly why: string };

async function undoWrite(
  entry: BorrowedLabel,
  target: Target,
  { environment, timeout, signal }: CleanupOptions,
): Promise<UndoResult> {
  const tenant = target.tenants.find(({ name }) => name === entry.tenant);
  if (tenant === undefined) return { done: false, gone: true, why: `the target file has no tenant ${entry.tenant}` };
  const others = target.tenants.filter((one) => one !== tenant);
  const deployment = deploymentOf({ ...target, tenants: [tenant, ...others] });
  const client = createClient({ deployment, environment, redaction: redactionOf(target), timeout, signal });
  const send = (ask: Ask) => client.send(ask, { script: 'cleanup' });
  // A private label, or one that the run made up, is refused when it is applied and when it is removed.
  const problem = await undoLabel(entry, deployment, send, isSpare(tenant, entry.label));
  if (problem === null) return { done: true };
  return { done: false, gone: problem.lacking === true || problem.status === 404, why: problem.why };
}

async function undoHook(
  { hook, tenant, input }: BorrowedByHook,
  { hooks, baseUrl }: Target,
  { environment, timeout = 30_000, allowHooks = false }: CleanupOptions,
): Promise<UndoResult> {
  const line = hooks[hook];
  if (line === undefined) return { done: false, gone: true, why: `the target file has no hooks.${hook}` };
  if (!allowHooks)
    return {
      done: false,
      gone: false,
      why: `hooks.${hook} of the target file undoes this: allow it with --allow-hooks`,
    };
  const { problem } = await environment.command(commandOf(hook, line, baseUrl, { tenant, ...input }, timeout));
  return problem === null ? { done: true } : { done: false, gone: true, why: `hooks.${hook}: ${problem}` };
}

const inWords = (entry: Borrowed): string => ('hook' in entry ? callWords(entry) : labelWords(entry));

const lineWords = ({ file, line }: BadLine) => `line ${line} of ${file}`;
