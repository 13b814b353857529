import type { Target } from '../spec/files/target.ts';
import type { Environment } from './client/environment.ts';
import { createClient } from './client.ts';
import { membershipOf } from './membership.ts';
import { redactionOf } from './run.ts';
import { deploymentOf } from './target/deployment.ts';
import { keyFor } from './target/keys.ts';
import type { Borrowed, WriteJournal } from './write-journal.ts';

export interface CleanupOptions {
  readonly environment: Environment;
  readonly journal: WriteJournal;
  /** Milliseconds per request: 30,000 by default. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

export interface Cleanup {
  /** Taken off, in words. */
  readonly returned: readonly string[];
  /** Still on, with the reason. */
  readonly left: readonly { readonly what: string; readonly why: string }[];
}

/** Takes off every label that a run before this one has put on and not taken off, because it died or lost its network. */
export async function cleanup(
  target: Target,
  { environment, journal, timeout, signal }: CleanupOptions,
): Promise<Cleanup> {
  const returned: string[] = [];
  const left: { what: string; why: string }[] = [];
  for (const entry of await journal.pending()) {
    const what = inWords(entry);
    const why = await takeOff(entry, target, { environment, timeout, signal });
    if (why === null) {
      await journal.returned(entry);
      returned.push(what);
    } else left.push({ what, why });
  }
  return { returned, left };
}

/** Null when it is off, else why not. */
async function takeOff(
  { tenant: name, holder, label }: Borrowed,
  target: Target,
  {
    environment,
    timeout = 30_000,
    signal,
  }: Omit<CleanupOptions, 'journal' | 'timeout' | 'signal'> & {
    readonly timeout: number | undefined;
    readonly signal: AbortSignal | undefined;
  },
): Promise<string | null> {
  const tenant = target.tenants.find((candidate) => candidate.name === name);
  if (tenant === undefined) return `the target file has no tenant ${name}`;
  const deployment = deploymentOf({ ...target, tenants: [tenant] });
  const { remove, params } = membershipOf(holder, label);
  const operation = deployment.operation(remove);
  if (operation === undefined) return `the target file sets ${remove} to null`;
  const found = keyFor(deployment, { scopes: operation.scopes });
  if ('missing' in found) return `the target file lacks ${found.missing}`;
  const client = createClient({
    deployment,
    environment,
    redaction: redactionOf(target),
    timeout,
    budget: Number.POSITIVE_INFINITY,
    onReply: () => {},
  });
  try {
    const reply = await client.call(remove, found.key, { params }, signal);
    return reply.status < 300 ? null : `${reply.what} answered ${reply.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function inWords({ tenant, holder, label }: Borrowed): string {
  const on =
    holder.kind === 'link' ? `the link of ${holder.clientId} and ${holder.siteId}` : `${holder.kind} ${holder.id}`;
  return `label ${label} on ${on} of ${tenant}`;
}
