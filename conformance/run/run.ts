import type { Target } from '../../spec/files/target.ts';
import type { LockHolder } from '../../spec/lock-file.ts';
import type { RuleId } from '../../spec/rules.ts';
import { type Ask, Stopped } from '../client/ask.ts';
import { createClient } from '../client/client.ts';
import { distinctClock, type Environment, uuidFrom } from '../client/environment.ts';
import { RunState } from '../experiments/bench.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History, Known, Skipped } from '../history/history.ts';
import { beginning, lineOf } from '../history/history-file.ts';
import type { HookCall } from '../history/hook-call.ts';
import { createExposures } from '../journal/exposures.ts';
import type { WriteJournal } from '../journal/write-journal.ts';
import { askedAgain, lastLook } from '../scripts/again.ts';
import { scripts } from '../scripts/index.ts';
import { limiterAgain, oddAgain } from '../scripts/limiter/limiter.ts';
import type { Script, ScriptFacts, Unready } from '../scripts/script.ts';
import { type Deployment, deploymentOf } from '../target/deployment.ts';
import { keyPlaceholder, redactionOf } from '../target/secrets.ts';
import { createBlockade } from './blockade.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { createHookRunner } from './hook-runner.ts';
import { preflight } from './preflight.ts';
import { type RunParts, runScript } from './run-script.ts';
import { schedule } from './schedule.ts';
import { createWriteGuard } from './write-guard.ts';

/** Which scripts run. */
export interface Chosen {
  /** Only scripts that give evidence for these rules; all by default. */
  readonly rules?: ReadonlySet<RuleId>;
  readonly readOnly?: boolean;
  readonly allowLeftovers?: boolean;
  /** Also scripts in which a wrong deployment could lose data for good. */
  readonly allowRisk?: boolean;
  /** Also scripts that run hooks of the target file. */
  readonly allowHooks?: boolean;
  readonly slow?: boolean;
  /** How often scripts run, except measurements of the limiter: once by default. */
  readonly repeat?: number;
}

/** Scripts that run at the same time. */
const parallel = 12;

/** Options of a run, and callbacks about its progress. */
export interface RunOptions extends Chosen {
  readonly environment: Environment;
  readonly journal: WriteJournal;
  readonly kit: string;
  /** Milliseconds per request: 30,000 by default. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** Milliseconds after which all has ended, undoing too: what is not undone by then stays in the journal. No limit by default. */
  readonly maxDuration?: number;
  /** Called when another run writes to the same records, before this one waits for its end. */
  readonly onWait?: (other: LockHolder) => void;
  /** Whether the run first checks that the target file describes the deployment: true by default. */
  readonly preflight?: boolean;
  readonly onExchange?: (exchange: Exchange) => void;
  readonly onStart?: (script: ScriptFacts, done: number, all: number) => void;
  readonly onDone?: (script: ScriptFacts, done: number, all: number) => void;
  /** Called when it is known what runs next, with about how many milliseconds that takes. */
  readonly onExpected?: (milliseconds: number) => void;
  /** Called with what has happened before the run ends with an error, so that it can be reported all the same. */
  readonly onError?: (history: History) => void;
}

interface OwnOptions {
  /** Called with each line of the history as it happens. */
  readonly onLine?: (line: string) => void;
  /** Runs these in place of all scripts, and asks nothing again at the end. */
  readonly scripts?: readonly Script[];
  /** Called with scripts before they run. */
  readonly onDecided?: (scripts: readonly Script[]) => Promise<void>;
  /** The environment makes up replies for a plan: nothing follows from them. */
  readonly planning?: boolean;
}

/**
 * Runs the scripts and returns the history, when no other run writes to the same records. Judges nothing.
 * @throws PreflightError, UntrueTarget; the error of a script, when the others have run and all is undone
 */
export async function gather(target: Target, options: RunOptions & OwnOptions): Promise<History> {
  const { journal, onWait, environment, maxDuration } = options;
  const deadline = createDeadline(environment, options.signal, maxDuration);
  const { signal } = deadline;
  const endTurn = options.readOnly ? undefined : await journal.turn?.({ signal, onWait });
  try {
    return await gatherAlone(target, { ...options, signal }, deadline);
  } finally {
    deadline.end();
    await endTurn?.();
  }
}

async function gatherAlone(target: Target, options: RunOptions & OwnOptions, deadline: Deadline): Promise<History> {
  const { journal, signal, timeout = 30_000, planning = false } = options;
  const environment = { ...options.environment, now: distinctClock(options.environment.now) };
  const deployment = deploymentOf(target);
  const redaction = redactionOf(target);
  const exchanges: Exchange[] = [];
  const calls: HookCall[] = [];
  const skipped: Skipped[] = [];
  const exercised = new Set<string>();
  const newId = () => uuidFrom(environment.random);
  const known: Known = {
    kit: options.kit,
    startedAt: new Date(environment.now()).toISOString(),
    target: withPlaceholders(target),
    allowLeftovers: options.allowLeftovers ?? false,
  };
  options.onLine?.(beginning(known));
  const exposures = createExposures(deployment);
  const client = createClient({
    deployment,
    environment,
    redaction,
    timeout,
    signal,
    last: deadline.last,
    record: (exchange) => {
      exchanges.push(exchange);
      exposures.saw(exchange);
      options.onLine?.(lineOf('exchange', exchange));
      options.onExchange?.(exchange);
    },
  });
  const guard = createWriteGuard({
    deployment,
    journal,
    send: async (ask) => {
      // What undoes is refused as well: it stays in the journal, for `cleanup`.
      const why = blockade.blocked();
      if (why !== null) throw new Stopped(why);
      return client.send(ask, { script: 'settle', restores: true });
    },
    now: environment.now,
    sleep: (milliseconds) => environment.sleep(milliseconds),
    timeout,
  });
  const hooks = createHookRunner({
    deployment,
    environment,
    redaction,
    journal,
    timeout: () => Math.min(timeout, deadline.left()),
    record: (call) => {
      calls.push(call);
      options.onLine?.(lineOf('hook', call));
    },
  });
  const sleep = (milliseconds: number) => environment.sleep(milliseconds, signal);
  const blockade = createBlockade(deployment, (ask) => client.send(ask, { script: 'blocked' }), sleep);
  const ended = () => client.ended() ?? blockade.blocked();
  const parts: RunParts = {
    client,
    blockade,
    ended,
    guard,
    hooks,
    scene: {
      deployment,
      planning,
      slow: options.slow ?? false,
      exposures,
      state: new RunState(),
      newId,
      now: environment.now,
      sleep,
      random: environment.random,
    },
  };

  const chosen = (all: Iterable<Script | Unready>): Script[] =>
    [...all].flatMap((one) => {
      const reason = leftOut(one, options, deployment);
      if (reason === null && !('missing' in one)) return [one];
      if (reason !== null) skipped.push({ script: one.id, tries: one.tries, ...reason });
      return [];
    });
  const errors: unknown[] = [];
  const history = (): History => {
    const blocked = blockade.blocked();
    return {
      known,
      exchanges: exchanges.toSorted((a, b) => a.n - b.n),
      hooks: [...calls],
      skipped: [...skipped],
      exercised: [...exercised].sort(),
      left: [...guard.left, ...hooks.left],
      ...(blocked !== null && { blocked }),
      interrupted: errors.length > 0 || (signal?.aborted ?? false),
      finishedAt: new Date(environment.now()).toISOString(),
    };
  };
  if (options.preflight ?? true) {
    const send = (ask: Ask) => client.send(ask, { script: 'preflight' });
    const asking = preflight(deployment, { newId, send });
    // Made-up replies say nothing about a target file. If the run has ended, the skipped scripts name the reason.
    await asking.catch((error: unknown) => {
      if (!(planning || error instanceof Stopped)) errors.push(error);
    });
  }
  const ready = chosen(options.scripts ?? scripts(deployment));
  const rounds = options.repeat ?? 1;
  let total = ready.length * rounds - (rounds - 1) * ready.filter(({ limits }) => limits !== undefined).length;
  let done = 0;
  const runOne = async (script: Script) => {
    options.onStart?.(script, done, total);
    for (const rule of script.tries) exercised.add(rule);
    const why = await runScript(script, parts).catch((error: unknown) => {
      errors.push(error);
      return messageOf(error);
    });
    if (why === null) done++;
    else skipped.push({ script: script.id, tries: script.tries, reason: 'stopped', why: [why] });
    options.onDone?.(script, done, total);
  };
  const withLimits = (limits: Script['limits'] | 'none') =>
    ready.filter((script) => (script.limits ?? 'none') === limits);
  // Slow scripts come first, because other scripts run while they wait. Scripts that put data at stake come last. Those that
  // write to the same record run one after the other, so they begin before those that need no record for themselves.
  const order = ({ slow, writes, locks }: Script) => (slow ? 0 : writes === 'risk' ? 3 : locks?.length ? 1 : 2);
  const functional = withLimits('none').sort((a, b) => order(a) - order(b));
  const runMore = async (more: readonly Script[]) => {
    total += more.length;
    await options.onDecided?.(more);
    await schedule(more, parallel, runOne);
  };
  const goesOn = () => options.scripts === undefined && ended() === null;
  let asked = 0;
  const runOthers = async () => {
    for (let round = 0; round < rounds; round++) await schedule(functional, parallel, runOne);
    // What surprised in the exchanges so far is asked again.
    asked = exchanges.length;
    if (goesOn()) await runMore(chosen(askedAgain(history())));
  };
  const runAll = async () => {
    await options.onDecided?.(ready);
    await schedule(withLimits('first'), 1, runOne);
    // One script measures the key that is kept for that, while another uses another key.
    await Promise.all([schedule(withLimits('parallel'), 2, runOne), runOthers()]);
    // What laws find in a history is kept with it.
    const soFar = history();
    if (goesOn() && !planning) await runMore(chosen([...limiterAgain(soFar), ...oddAgain(soFar)]));
    if (ended() === null) await guard.undo();
    if (ended() === null) await runMore(await lastLook(parts.scene.state));
    // A firewall that refuses the last look is asked again as well, but nothing is written any more.
    if (goesOn()) await runMore(chosen(askedAgain(history(), asked).filter(({ writes }) => !writes)));
  };
  const why = errors.map(messageOf);
  if (errors.length === 0) await runAll().catch((error: unknown) => errors.push(error));
  else skipped.push(...ready.map(({ id, tries }) => ({ script: id, tries, reason: 'stopped' as const, why })));
  await guard.settle(signal?.aborted ?? false).catch((error: unknown) => errors.push(error));
  if (errors.length === 0) return history();
  options.onError?.(history());
  throw errors[0];
}

/** Why a script does not run; null where it does. */
function leftOut(
  script: Script | Unready,
  { rules, readOnly, allowLeftovers, allowRisk, allowHooks, slow }: Chosen,
  { operation, hooks }: Deployment,
): Pick<Skipped, 'reason' | 'why'> | null {
  if (rules !== undefined && !script.tries.some((rule) => rules.has(rule)))
    return { reason: 'not-selected', why: ['to be selected'] };
  if ('missing' in script) return { reason: 'not-run', why: script.missing };
  const absent = (script.uses ?? []).filter((id) => operation(id) === undefined);
  if (absent.length > 0)
    return { reason: 'not-run', why: absent.map((id) => `operations.${id}, which this deployment does not have`) };
  const needs = (option: string) => ({ reason: 'not-selected' as const, why: [option] });
  if (readOnly && (script.writes ?? script.hooks) !== undefined) return needs('a run without --read-only');
  if (script.writes === 'leftovers' && !allowLeftovers) return needs('--allow-leftovers');
  if (script.writes === 'risk' && !allowRisk) return needs('--allow-risk');
  const unknown = script.hooks?.filter((name) => hooks[name] === undefined) ?? [];
  if (script.hooks !== undefined && !allowHooks)
    return needs(unknown.length > 0 ? 'hooks in the target file' : '--allow-hooks');
  if (unknown.length > 0) return { reason: 'not-run', why: unknown.map((name) => `hooks.${name}`) };
  return script.slow && !slow ? needs('--slow') : null;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const placeholders = (values: object): Record<string, string> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, 'REDACTED']));

/** The target without its secrets. */
function withPlaceholders(target: Target): Target {
  return {
    ...target,
    headers: placeholders(target.headers),
    upload: { ...target.upload, headers: placeholders(target.upload.headers) },
    ...(target.tls && { tls: placeholders(target.tls) }),
    // The command line of a hook may contain a secret.
    hooks: placeholders(target.hooks),
    tenants: target.tenants.map((tenant, t) => ({
      ...tenant,
      keys: tenant.keys.map((key, k) => ({ ...key, secret: keyPlaceholder(target, t, k) })),
    })),
  };
}
