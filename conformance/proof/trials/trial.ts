import { operationsOf } from '../../../mock/control/target-of.ts';
import { planted } from '../../../mock/wrong/planted.ts';
import type { Defect, LegalVariant } from '../../../mock/wrong/tampering/defect.ts';
import { labelsIn } from '../../../mock/wrong/tampering/label-write.ts';
import type { Target } from '../../../spec/files/target.ts';
import { ruleById } from '../../../spec/rules.ts';
import { memoryJournal } from '../../journal/write-journal.ts';
import { type Chosen, gather } from '../../run/run.ts';
import type { LawResult } from '../../verdict/judge.ts';
import { type VirtualMockOptions, virtualMock } from './virtual-mock.ts';

/** The item with this id. @throws RangeError if there is none */
export function named<T extends { readonly id: string }>(all: readonly T[], id: string): T {
  const found = all.find((one) => one.id === id);
  if (found === undefined) throw new RangeError(`there is no ${id} among ${all.map((one) => one.id).join(', ')}`);
  return found;
}

/** Random latencies in milliseconds, one way. */
interface NetworkProfile {
  readonly id: string;
  readonly latency: (random: () => number) => number;
  /** Whether the connection of a request drops before it is sent. */
  readonly drops?: (random: () => number) => boolean;
  /** Whether no request is lost or late, so that every rule can be judged. */
  readonly calm: boolean;
}

export const networkProfiles: readonly NetworkProfile[] = [
  { id: 'none', latency: () => 0, calm: true },
  { id: 'near', latency: () => 40, calm: true },
  {
    id: 'jittery',
    // 400 ms there and back.
    latency: (random) => 80 - 120 * Math.log(1 - random()),
    calm: false,
  },
  {
    id: 'late',
    latency: (random) => 20 + (random() < 0.01 ? 2_000 : 0),
    calm: false,
  },
];

/** A deployment that keeps the contract, and how it is reached and judged. */
export interface Honest extends LegalVariant {
  /** Somebody else changes the labels of its records. */
  readonly isShared?: true;
  /** A network of its own. */
  readonly network?: Partial<Pick<NetworkProfile, 'latency' | 'drops'>>;
  readonly chosen?: Chosen;
}

interface TrialOptions extends Chosen {
  readonly seed?: number;
  readonly network?: NetworkProfile;
  /** The probability that a request meets the defect: 1 by default. */
  readonly probability?: number;
}

const near = named(networkProfiles, 'near');

/** Runs all scripts against a deployment with a defect, or against the mock as it is. */
export async function tryDefect(defect: Defect | null, options: TrialOptions = {}) {
  const { probability: chance = 1, seed = 1 } = options;
  let reached = 0;
  const reach = () => {
    reached++;
  };
  const wrong = defect === null ? undefined : planted(defect, { chance, seed, reached: reach });
  const product: VirtualMockOptions['product'] = (does) => defect?.product?.(does, reach) ?? does;
  return { ...(await ran({ ...(wrong && { wrong }), product }, options, (target) => target)), reached };
}

/** How a legal variant is made of the mock, and described by a target file. */
export function variantOf(variant: LegalVariant): {
  readonly mockOptions: VirtualMockOptions;
  readonly describe: (target: Target) => Target;
} {
  const mockOptions = variant.options?.();
  return {
    mockOptions: {
      ...mockOptions,
      ...(variant.around && { wrong: planted({ id: variant.id, does: variant.does, around: variant.around }) }),
    },
    describe(target) {
      const described: Target = {
        ...target,
        operations: { ...target.operations, ...operationsOf(mockOptions?.profile) } as Target['operations'],
        // Only the mock is known to have no lag.
        settleMilliseconds: 1_000,
      };
      return variant.target?.(described) ?? described;
    },
  };
}

/** Runs all scripts against a legal variant. */
export function tryVariant(variant: Honest, options: TrialOptions = {}) {
  const { mockOptions, describe } = variantOf(variant);
  const network = variant.network && { network: { ...near, ...variant.network } };
  return ran(mockOptions, { ...options, ...network, ...variant.chosen }, describe);
}

/** A run in virtual time against a changed mock. Not judged yet: all laws together take a third of the time of a run. */
async function ran(
  mockOptions: VirtualMockOptions,
  { seed = 1, network = near, ...chosen }: TrialOptions,
  describe: (target: Target) => Target,
) {
  const { environment, target, mock } = await virtualMock({
    seed,
    onError: () => {},
    latency: network.latency,
    ...(network.drops && { drops: network.drops }),
    ...mockOptions,
  });
  const before = labelsIn(mock);
  const history = await gather(describe(target), {
    environment,
    journal: memoryJournal(),
    kit: 'proof',
    preflight: false,
    allowLeftovers: true,
    allowRisk: true,
    allowHooks: true,
    slow: true,
    ...chosen,
  });
  return {
    history,
    /** How often the defect changed something. */
    reached: 0,
    /** Labels in the store that differ from the state before the run. */
    changed: labelsIn(mock).filter((line, index) => line !== before[index]),
  };
}

/** Laws with a broken must or should, an error, or another answer to an open question than our assumption. */
export const findersIn = (results: readonly LawResult[]): readonly LawResult[] =>
  results.filter(({ outcome, finding }) => outcome === 'error' || finding.breaches.length > 0);

/** Documented musts that could not be judged. */
export const unjudgedIn = (results: readonly LawResult[]): readonly LawResult[] =>
  results.filter(({ outcome, rule }) => {
    const { provenance, level } = ruleById(rule);
    return (outcome === 'inconclusive' || outcome === 'not-run') && provenance === 'documented' && level === 'must';
  });
