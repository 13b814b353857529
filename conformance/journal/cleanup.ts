import type { Target } from '../../spec/files/target.ts';
import type { Ask } from '../client/ask.ts';
import { createClient } from '../client/client.ts';
import type { Environment } from '../client/environment.ts';
import { callWords, commandOf } from '../hooks/command.ts';
import { deploymentOf } from '../target/deployment.ts';
import { isSpare, tenantsOf } from '../target/records.ts';
import { redactionOf } from '../target/secrets.ts';
import { undoLabel } from './undo-label.ts';
import {
  type Borrowed,
  type BorrowedByHook,
  type BorrowedLabel,
  labelWords,
  type TurnOptions,
  type WriteJournal,
} from './write-journal.ts';

/** How changes are undone. */
export interface CleanupOptions {
  readonly environment: Environment;
  readonly journal: WriteJournal;
  /** Milliseconds per request: 30,000 by default. */
  readonly timeout?: number;
  /** Called with the milliseconds for which an unanswered write may still arrive, before that is waited for. */
  readonly onWait?: (milliseconds: number) => void;
  /** Called once if a run that is still going on writes to the same records. It ends first. */
  readonly onTurn?: TurnOptions['onWait'];
  /** Runs the hooks that undo changes of other hooks. */
  readonly allowHooks?: boolean;
  readonly signal?: AbortSignal;
}

/** What became of the changes that were found. */
export type Cleanup = Awaited<ReturnType<typeof cleanup>>;

/** Undoes what earlier runs changed and could not undo, because they were killed or lost their network. */
export async function cleanup(target: Target, options: CleanupOptions) {
  const { environment, journal, onWait, onTurn, timeout, signal } = options;
  const deployment = deploymentOf(target);
  const client = createClient({ deployment, environment, redaction: redactionOf(target), timeout, signal });
  const done = {
    /** Changes that were undone, in words. */
    returned: [] as string[],
    /** Changes that were not undone, or perhaps not, with the reason. */
    left: [] as { readonly what: string; readonly why: string }[],
  };
  /** @returns why it could not be undone */
  const undoWrite = async (entry: BorrowedLabel): Promise<string | null> => {
    const tenant = tenantsOf(deployment).find(({ name }) => name === entry.tenant);
    if (tenant === undefined) return `the target file has no tenant ${entry.tenant}`;
    const send = (ask: Ask) => client.send(ask, { script: 'cleanup' });
    // A private label, or one that the run made up, is refused when it is applied and when it is removed.
    return (await undoLabel(entry, deployment, send, isSpare(tenant, entry.label)))?.why ?? null;
  };
  /** @returns until when a write may arrive that changes it again, in milliseconds since the epoch; 0 where it is settled */
  const settle = async (entry: Borrowed): Promise<number> => {
    const what = inWords(entry);
    const sentAt = environment.now();
    const why = 'hook' in entry ? await undoHook(entry, target, options) : await undoWrite(entry);
    const until = 'hook' in entry ? 0 : (entry.until ?? 0);
    if (why === null && sentAt < until) return until;
    if (why !== null) done.left.push({ what, why });
    else {
      await journal.returned(entry);
      done.returned.push(what);
    }
    return 0;
  };
  // A run that is going on would take the undone writes for a fault of the deployment.
  const endTurn = await journal.turn?.({ signal, onWait: onTurn });
  try {
    const early = new Map<Borrowed, number>();
    for (const entry of await journal.pending()) {
      const until = await settle(entry);
      if (until > 0) early.set(entry, until);
    }
    const wait = Math.max(...early.values()) - environment.now();
    if (early.size > 0) onWait?.(wait);
    if (early.size > 0) await environment.sleep(wait + 1, signal);
    const why = 'interrupted while an unanswered write could still arrive: run cleanup again';
    for (const entry of early.keys())
      if (signal?.aborted) done.left.push({ what: inWords(entry), why });
      else await settle(entry);
    return done;
  } finally {
    await endTurn?.();
  }
}

async function undoHook(
  { hook, tenant, input }: BorrowedByHook,
  { hooks, baseUrl }: Target,
  { environment, timeout = 30_000, allowHooks = false }: CleanupOptions,
): Promise<string | null> {
  const line = hooks[hook];
  if (line === undefined) return `the target file has no hooks.${hook}`;
  if (!allowHooks) return `hooks.${hook} of the target file undoes this: allow it with --allow-hooks`;
  const { problem } = await environment.command(commandOf(hook, line, baseUrl, { tenant, ...input }, timeout));
  return problem && `hooks.${hook}: ${problem}`;
}

const inWords = (entry: Borrowed): string => ('hook' in entry ? callWords(entry) : labelWords(entry));
