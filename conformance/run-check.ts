import type { OperationId } from '../spec/operations.ts';
import type { CallOptions, Check, CheckContext } from './check.ts';
import type { Environment } from './client/environment.ts';
import { TransportError } from './client/http.ts';
import type { Client } from './client.ts';
import type { Exchange } from './evidence.ts';
import type { Facts } from './facts.ts';
import { judgeOutcome } from './judge-outcome.ts';
import type { MeasuredLimiter } from './measured-limiter.ts';
import { membershipOf } from './membership.ts';
import { type CheckResult, Inconclusive } from './outcome.ts';
import type { Prepared } from './prepare.ts';
import type { ProfilePatch } from './profile-patch.ts';
import type { Reply } from './reply.ts';
import type { Deployment } from './target/deployment.ts';
import type { KeyOfTenant } from './target/keys.ts';
import type { Borrowed, WriteJournal } from './write-journal.ts';

/** What all checks of a run have in common. */
export interface RunParts {
  readonly client: Client;
  readonly deployment: Deployment;
  readonly environment: Environment;
  readonly journal: WriteJournal;
  readonly signal: AbortSignal | undefined;
  readonly planning: boolean;
  readonly repeating: boolean;
  readonly replies: () => readonly Reply[];
  readonly shared: <T>(name: string, make: () => Promise<T>) => Promise<T>;
  readonly onProfile: (patch: ProfilePatch) => void;
  readonly onMeasured: (limiter: MeasuredLimiter) => void;
  /** Told of every exchange of a check, those that it does not keep as evidence among them. */
  readonly onExchange: (exchange: Exchange, check: Check) => void;
}

/** Beyond this many a check's evidence keeps its first and last exchanges: a limiter run has hundreds. */
const mostExchanges = 40;

/** Runs one check to its end, returns what it borrowed, and says what came of it. Never throws. */
export async function runCheck({ check, given, keys, keyOf }: Prepared, parts: RunParts): Promise<CheckResult> {
  const { client, environment, journal, signal } = parts;
  const startedAt = environment.now();
  const exchanges: Exchange[] = [];
  const answers: string[] = [];
  const borrowed: Borrowed[] = [];

  const keep = (reply: Reply) => {
    exchanges.push(reply.exchange);
    parts.onExchange(reply.exchange, check);
    if (exchanges.length > mostExchanges) exchanges.splice(mostExchanges / 2, 1);
    return reply;
  };
  const call = async (id: OperationId, options: CallOptions = {}) => {
    const key = options.as === undefined ? keyOf(id) : options.as;
    if (key === undefined) throw new Error(`${check.id} calls ${id}, which it does not list under uses`);
    return keep(await client.call(id, key, options, signal));
  };

  const context: CheckContext = {
    // Every declared fact is there: `prepare` would not have let this check run otherwise.
    given: given as Facts,
    keys,
    call,
    deployment: parts.deployment,
    planning: parts.planning,
    repeating: parts.repeating,
    put: async (url, contentType, bytes) => keep(await client.put(url, contentType, bytes, signal)),
    borrow: async (holder, label) => {
      const entry = { tenant: parts.deployment.tenant.name, holder, label };
      // What could not even be put on need not be taken off, try by try.
      client.assertClosed();
      await journal.borrowed(entry);
      borrowed.push(entry);
    },
    observe: (answer, profile) => {
      answers.push(answer);
      if (profile !== undefined) parts.onProfile(profile);
    },
    measured: parts.onMeasured,
    replies: parts.replies,
    shared: parts.shared,
    now: environment.now,
    sleep: (milliseconds) => environment.sleep(milliseconds, signal),
    random: environment.random,
    newId: () => uuidFrom(environment.random),
  };

  const thrown = await settle(() => check.run(context));
  const unreturned = await giveBack(borrowed, parts, keyOf, keep);
  const ended = { thrown: thrown ?? unreturned, answers, exchanges, duration: environment.now() - startedAt };
  return judgeOutcome(check, ended);
}

async function settle(run: () => Promise<void>): Promise<unknown> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error instanceof TransportError ? new Inconclusive(`no reply: ${error.message}`) : error;
  }
}

/** Takes borrowed labels off again, without the signal: an interrupted run still restores. */
async function giveBack(
  borrowed: readonly Borrowed[],
  { client, journal }: RunParts,
  keyOf: (id: OperationId) => KeyOfTenant | undefined,
  keep: (reply: Reply) => Reply,
): Promise<Inconclusive | undefined> {
  let problem: Inconclusive | undefined;
  for (const entry of borrowed) {
    const { remove, params } = membershipOf(entry.holder, entry.label);
    try {
      const reply = keep(await client.call(remove, keyOf(remove) ?? null, { params, restores: true }));
      if (reply.status < 300) await journal.returned(entry);
      else
        problem = new Inconclusive(
          `the label could not be taken off again: ${reply.what} answered ${reply.status}; run conformance cleanup`,
        );
    } catch (error) {
      problem = new Inconclusive(
        `the label could not be taken off again: ${error instanceof Error ? error.message : error}`,
      );
    }
  }
  return problem;
}

/** A random UUID of version 4, from the run's own randomness. */
function uuidFrom(random: () => number): string {
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    (Number(digit) ^ (Math.floor(random() * 16) & (15 >> (Number(digit) / 4)))).toString(16),
  );
}
