import { hash } from 'node:crypto';
import type { ApiRequest } from '../../../mock/index.ts';
import type { Target } from '../../../spec/files/target.ts';
import { ruleById } from '../../../spec/rules.ts';
import type { History } from '../../history/history.ts';
import { memoryJournal } from '../../journal/write-journal.ts';
import { type Chosen, gather } from '../../run/run.ts';
import type { LawResult } from '../../verdict/judge.ts';
import type { LegalVariant } from '../legal-variants/legal-variant.ts';
import type { Defect } from '../tampering/defect.ts';
import { labelsIn } from '../tampering/label-write.ts';
import { named } from './named.ts';
import { type NetworkProfile, networkProfiles } from './network-profiles.ts';
import { type VirtualMockOptions, virtualMock } from './virtual-mock.ts';

/** A run in virtual time against a changed mock. Not judged yet: all laws together take a third of the time of a run. */
interface Trial {
  readonly history: History;
  /** How often the defect changed something. */
  readonly reached: number;
  /** Labels in the store that differ from the state before the run. */
  readonly changed: readonly string[];
  /** Milliseconds of real time. */
  readonly duration: number;
}

interface TrialOptions extends Chosen {
  readonly seed?: number;
  readonly network?: NetworkProfile;
  /** The probability that a request meets the defect: 1 by default. */
  readonly probability?: number;
}

const near = named(networkProfiles, 'near');

/** Runs all scripts against a deployment with a defect, or against the mock as it is. */
export async function tryDefect(defect: Defect | null, options: TrialOptions = {}): Promise<Trial> {
  const { probability = 1, seed = 1 } = options;
  const meets = meeting(probability, seed);
  let reached = 0;
  const reach = () => {
    reached++;
  };
  const around: VirtualMockOptions['around'] = (handle, mock) => {
    const broken = defect?.around?.({ handle, mock, reached: reach }) ?? handle;
    return (request, trace) => (meets(request) ? broken : handle)(request, trace);
  };
  const trial = await ran(
    { ...defect?.options?.(reach), around, product: (does) => defect?.product?.(does, reach) ?? does },
    options,
    (target) => defect?.target?.(target) ?? target,
  );
  return { ...trial, reached };
}

/**
 * Decides which requests meet an intermittent defect: by the seed, and by how many equal requests came before. So a run of some
 * scripts meets it in the same requests as a whole run, and a whole run finds whatever such a run finds.
 */
function meeting(probability: number, seed: number): (request: ApiRequest) => boolean {
  if (probability === 1) return () => true;
  const counts = new Map<string, number>();
  return ({ method, url, headers }) => {
    const request = `${method} ${url} ${headers['x-api-key']}`;
    const count = counts.get(request) ?? 0;
    counts.set(request, count + 1);
    return Number.parseInt(hash('md5', `${seed} ${request} ${count}`).slice(0, 8), 16) / 2 ** 32 < probability;
  };
}

/** Runs all scripts against a legal variant. */
export function tryVariant(variant: LegalVariant, options: TrialOptions = {}): Promise<Trial> {
  const mockOptions = variant.options?.();
  const overrides = Object.entries((mockOptions?.profile?.operations ?? {}) as Target['operations']).map(
    ([id, override]) => {
      const { status: _, ...known } = { status: undefined, ...override };
      return [id, override === null ? null : known] as const;
    },
  );
  return ran(
    {
      ...mockOptions,
      product: variant.product,
      ...(variant.around && {
        around: (handle, mock) => variant.around?.({ handle, mock, reached: () => undefined }) ?? handle,
      }),
    },
    { ...options, ...(variant.network && { network: { ...near, ...variant.network } }), ...variant.chosen },
    (target) => {
      const described: Target = {
        ...target,
        operations: { ...target.operations, ...Object.fromEntries(overrides) },
        // Only the mock is known to have no lag.
        settleMilliseconds: 1_000,
      };
      return variant.target?.(described) ?? described;
    },
  );
}

async function ran(
  mockOptions: VirtualMockOptions,
  { seed = 1, network = near, ...chosen }: TrialOptions,
  describe: (target: Target) => Target,
): Promise<Trial> {
  const startedAt = performance.now();
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
    reached: 0,
    changed: labelsIn(mock).filter((line, index) => line !== before[index]),
    duration: Math.round(performance.now() - startedAt),
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
