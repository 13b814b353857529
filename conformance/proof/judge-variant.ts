import type { Target } from '../../spec/files/target.ts';
import { ruleById } from '../../spec/rules.ts';
import type { Check } from '../check.ts';
import { run } from '../run.ts';
import { memoryJournal } from '../write-journal.ts';
import type { LegalVariant } from './legal-variants/legal-variant.ts';
import type { NetworkProfile } from './network-profiles.ts';
import { virtualMock } from './virtual-mock.ts';

/** A check that found fault with a deployment that keeps the contract. */
export interface FalseAlarm {
  readonly check: string;
  readonly outcome: string;
  readonly message: string;
}

/** What one run against one variant came to. */
export interface VariantResult {
  readonly variant: string;
  readonly profile: string;
  readonly seed: number;
  readonly falseAlarms: readonly FalseAlarm[];
  readonly exitCode: number;
  /** Checks that could not tell. */
  readonly inconclusive: readonly string[];
}

/** Runs checks against a variant over one network from one seed, in virtual time. */
export async function judgeVariant(
  variant: LegalVariant,
  network: NetworkProfile,
  seed: number,
  checks: readonly Check[],
): Promise<VariantResult> {
  const options = variant.options?.();
  const { environment, target, mock } = await virtualMock({
    latency: network.latency,
    seed,
    onError: () => {},
    ...options,
    ...(variant.around && { around: (handle, mock) => variant.around?.({ handle, mock }) ?? handle }),
  });
  const described = targetOf(variant, target, options?.profile?.operations);
  const before = labelsIn(mock);
  // What becomes of eleven megabytes does not depend on the seed, and takes as long as everything else together.
  const large = (id: string) => id.startsWith('limits/') || id === 'upload/put-large';
  const record = await run(described, {
    checks: seed <= 2 ? checks : checks.filter(({ id }) => !large(id)),
    environment,
    journal: memoryJournal(),
    allowLeftovers: true,
    slow: true,
  });
  const falseAlarms = record.results
    .filter(({ rule, outcome }) => {
      if (outcome === 'fail' || outcome === 'error') return true;
      return outcome === 'warn' && !variant.warns?.includes(rule);
    })
    .map(({ id, outcome, message }) => ({ check: id, outcome, message }));
  // Somewhere without loss every rule can be judged: then the run has to say so too.
  const unjudged = record.results.filter(
    ({ rule, outcome }) =>
      ['inconclusive', 'not-run'].includes(outcome) &&
      variant.unjudged !== 'any' &&
      !variant.unjudged?.includes(rule) &&
      ruleById(rule).provenance === 'documented' &&
      ruleById(rule).level === 'must',
  );
  if (network.calm && falseAlarms.length === 0 && record.exitCode !== 0) {
    for (const { id, outcome, message } of unjudged) falseAlarms.push({ check: id, outcome, message });
  }
  if (JSON.stringify(labelsIn(mock)) !== JSON.stringify(before)) {
    falseAlarms.push({ check: '(after the run)', outcome: 'error', message: 'labels are not as they were' });
  }
  return {
    variant: variant.id,
    profile: network.id,
    seed,
    falseAlarms,
    exitCode: record.exitCode,
    inconclusive: record.results.filter(({ outcome }) => outcome === 'inconclusive').map(({ id }) => id),
  };
}

function targetOf(variant: LegalVariant, target: Target, operations: unknown): Target {
  const overrides = Object.entries((operations ?? {}) as Target['operations']).map(([id, override]) => {
    const { status: _, ...known } = { status: undefined, ...override };
    return [id, override === null ? null : known] as const;
  });
  const described: Target = { ...target, operations: { ...target.operations, ...Object.fromEntries(overrides) } };
  return variant.target?.(described) ?? described;
}

function labelsIn(mock: Awaited<ReturnType<typeof virtualMock>>['mock']): string[] {
  return [...mock.tenants.values()].flatMap((tenant) =>
    [...tenant.conversations.values(), ...tenant.sites.values(), ...tenant.links.values()].map((holder) =>
      [...tenant.labelsOf(holder)].sort().join(' '),
    ),
  );
}
