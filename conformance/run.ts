import type { Profile } from '../spec/files/profile.ts';
import type { Target } from '../spec/files/target.ts';
import type { OperationId } from '../spec/operations.ts';
import { besideOthers, noneBeside } from './beside-others.ts';
import type { Check } from './check.ts';
import type { Environment } from './client/environment.ts';
import type { HttpReply } from './client/http.ts';
import { createClient } from './client.ts';
import { confirmFailures, isSuspect, type Suspect } from './confirm-failures.ts';
import type { Exchange } from './evidence.ts';
import { inParallel } from './in-parallel.ts';
import { judgeInCompany } from './judge-in-company.ts';
import type { MeasuredLimiter } from './measured-limiter.ts';
import type { CheckResult } from './outcome.ts';
import { type Pace, paceOf } from './pace.ts';
import { preflight } from './preflight.ts';
import { type Prepared, prepare } from './prepare.ts';
import { type ProfilePatch, patched } from './profile-patch.ts';
import { createRedaction, keyPlaceholder, type Redaction } from './redaction.ts';
import type { Reply } from './reply.ts';
import { type RunParts, runCheck } from './run-check.ts';
import { leftOut, type Selection } from './selection.ts';
import { shared } from './shared.ts';
import { deploymentOf } from './target/deployment.ts';
import { type Verdict, verdictOf } from './verdict.ts';
import type { WriteJournal } from './write-journal.ts';

export interface RunOptions extends Selection {
  readonly checks: readonly Check[];
  readonly environment: Environment;
  readonly journal: WriteJournal;
  /** Milliseconds that one request may take: 30,000 by default. */
  readonly timeout?: number;
  /** Requests in all; no limit by default. */
  readonly budget?: number;
  readonly failFast?: boolean;
  readonly allowNotRun?: boolean;
  /** Checks under way at the same time: 8 by default. Their keys are paced all the same. */
  readonly parallel?: number;
  readonly signal?: AbortSignal;
  /** Makes every reply up instead of sending anything: for plans. */
  readonly planned?: (id: OperationId | 'storage') => Promise<HttpReply>;
  /** Told of every exchange, redacted; the check is null for the question whether anybody is there. */
  readonly onExchange?: (exchange: Exchange, check: Check | null) => void;
  readonly onStart?: (check: Check) => void;
  readonly onResult?: (result: CheckResult, done: number, all: number) => void;
}

/** What a run has found, redacted. */
export interface RunRecord extends Verdict {
  readonly target: { readonly baseUrl: string; readonly tenants: readonly string[] };
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly results: readonly CheckResult[];
  /** Requests by key, `tenant/key`; those without one under `-`. */
  readonly requests: Readonly<Record<string, number>>;
  /** What the keys' own limits make a run take; null where none had more to do than its burst. */
  readonly pace: Pace | null;
  /** What this deployment does where the specification is silent. */
  readonly profile: Profile;
  /** The run against the rate limiter; null where there was none. */
  readonly limiter: MeasuredLimiter | null;
  readonly interrupted: boolean;
}

/** A redaction that knows every secret of a target. */
export function redactionOf(target: Target): Redaction {
  const redaction = createRedaction();
  for (const tenant of target.tenants) {
    for (const key of tenant.keys) redaction.add(key.secret, keyPlaceholder(tenant.name, key.name));
  }
  return redaction;
}

/**
 * Runs the selected checks against a deployment.
 * @throws PreflightError when there is nothing there to judge, before any check has run
 */
export async function run(target: Target, options: RunOptions): Promise<RunRecord> {
  const { environment, journal, signal } = options;
  const deployment = deploymentOf(target);
  const redaction = redactionOf(target);
  const replies: Reply[] = [];
  const served = new Map<string, number>();
  let asking = true;
  let profile: Profile = {};
  let limiter: MeasuredLimiter | null = null;
  const client = createClient({
    deployment,
    environment,
    redaction,
    timeout: options.timeout ?? 30_000,
    budget: options.budget ?? Number.POSITIVE_INFINITY,
    planned: options.planned,
    onReply: (reply, paced) => {
      if (asking) options.onExchange?.(reply.exchange, null);
      if (paced && reply.status > 0) replies.push(reply);
      const { key } = reply.exchange;
      if (key !== null && reply.status !== 429) served.set(key, (served.get(key) ?? 0) + 1);
    },
  });
  const startedAt = environment.now();
  await preflight(deployment, client, signal);
  asking = false;

  const parts: RunParts = {
    client,
    deployment,
    environment,
    journal,
    signal,
    planning: options.planned !== undefined,
    repeating: false,
    replies: () => replies,
    shared: shared(),
    onMeasured: (measured) => {
      limiter = measured;
    },
    onProfile: (patch: ProfilePatch) => {
      profile = patched(profile, patch);
    },
    onExchange: (exchange, check) => options.onExchange?.(exchange, check),
  };

  const results = new Map<string, CheckResult>();
  let failed = false;
  const record = (found: CheckResult) => {
    const result = redacted(found, redaction);
    results.set(result.id, result);
    failed ||= result.outcome === 'fail';
    options.onResult?.(result, results.size, options.checks.length);
  };

  const ready: Prepared[] = [];
  for (const check of options.checks) {
    const reason = leftOut(check, options);
    if (reason !== null) {
      record(unrun(check, 'not-selected', reason));
      continue;
    }
    const prepared = prepare(check, deployment);
    if (!('missing' in prepared)) ready.push(prepared);
    else {
      const outcome = prepared.optional ? 'not-selected' : 'not-run';
      record(unrun(check, outcome, `the target file lacks ${prepared.missing.join('; ')}`));
    }
  }

  const stopped = () => (signal?.aborted ?? false) || (failed && (options.failFast ?? false));
  const suspects: Suspect[] = [];
  const one = async (prepared: Prepared) => {
    if (stopped()) {
      record(unrun(prepared.check, 'inconclusive', signal?.aborted ? 'interrupted' : 'not reached: --fail-fast'));
      return;
    }
    options.onStart?.(prepared.check);
    const result = await runCheck(prepared, parts);
    if (!isSuspect(prepared, result)) record(result);
    else {
      failed ||= result.outcome === 'fail';
      suspects.push({ prepared, result });
    }
  };
  const inCompany = async (all: readonly Prepared[]): Promise<readonly Prepared[]> => {
    const mayStart = (check: Check) => {
      if (stopped()) return false;
      options.onStart?.(check);
      return true;
    };
    const found = await judgeInCompany(all, parts, mayStart);
    found?.forEach(record);
    return found === null ? [] : all;
  };
  const during = (after: Check['after']) => ready.filter(({ check }) => check.after === after);
  // Slow ones first: their waiting goes on beside everything else.
  const functional = during(undefined).sort((a, b) => Number(b.check.slow ?? false) - Number(a.check.slow ?? false));
  const everything = during('everything');
  const limits = during('limits');
  const judgeFunctions = async () => {
    await inParallel(functional, options.parallel ?? 8, one);
    await inParallel(everything, 1, one);
  };

  // What is scarce goes to the functions first: then the limiter is the last to be judged.
  const scarce = options.budget !== undefined || options.failFast;
  const { apart, beside } = scarce ? noneBeside : besideOthers(limits, [...functional, ...everything]);
  await inParallel(apart, 1, one);
  const isApart = apart.length > 0 && apart.every(({ check }) => results.get(check.id)?.outcome === 'pass');
  const [settled] = await Promise.all([isApart ? inCompany(beside) : [], judgeFunctions()]);
  const done = new Set([...apart, ...settled]);
  await inParallel(
    limits.filter((prepared) => !done.has(prepared)),
    1,
    one,
  );

  for (const result of await confirmFailures(suspects, parts)) record(result);

  const ordered = options.checks.flatMap(({ id }) => results.get(id) ?? []);
  return {
    ...verdictOf(ordered, { allowNotRun: options.allowNotRun ?? false }),
    target: { baseUrl: deployment.baseUrl, tenants: target.tenants.map(({ name }) => name) },
    startedAt,
    finishedAt: environment.now(),
    results: ordered,
    requests: Object.fromEntries(client.sent),
    pace: paceOf(served, target),
    profile,
    limiter,
    interrupted: signal?.aborted ?? false,
  };
}

/** Characters of a sentence in a report; what a reply made longer stands in the evidence. */
const longestSentence = 2_000;

/** A check may quote a reply in its own words; its exchanges are redacted already. */
function redacted(result: CheckResult, { apply }: Redaction): CheckResult {
  const { message, expected, observed } = result;
  const clean = (text: string) => {
    const whole = apply(text);
    return whole.length > longestSentence ? `${whole.slice(0, longestSentence)}…` : whole;
  };
  return {
    ...result,
    message: clean(message),
    expected: expected && clean(expected),
    observed: observed && clean(observed),
  };
}

function unrun({ id, rule }: Check, outcome: CheckResult['outcome'], message: string): CheckResult {
  return { id, rule, outcome, message, expected: null, observed: null, duration: 0, exchanges: [] };
}
