import type { Environment } from '../../../conformance/client/environment.ts';
import { judge } from '../../../conformance/index.ts';
import { memoryJournal } from '../../../conformance/journal/write-journal.ts';
import { profileOf } from '../../../conformance/profile.ts';
import { variantOf } from '../../../conformance/proof/trials/trial.ts';
import { virtualEnvironment, virtualMock } from '../../../conformance/proof/trials/virtual-mock.ts';
import { gather } from '../../../conformance/run/run.ts';
import { legalVariants } from '../../../mock/wrong/habits/index.ts';
import { mockTarget } from '../../../spec/proof/mock-target.ts';
import { compareDeployments } from '../../compare/compare.ts';
import { describedLike } from '../../compare/mock-side.ts';
import { measureFidelity } from '../../fidelity.ts';
import { recordingOf } from '../../recording.ts';
import { seenIn } from '../../seen.ts';
import type { Side } from '../../side.ts';
import { serving } from './base.ts';
import { deployments } from './deployments.ts';

interface Deployment {
  readonly name: string;
  /** A new instance. */
  open(seed: number): Promise<Side>;
}

/** How like a deployment the mock is that has learned from one conformance run. */
export type Measured = Awaited<ReturnType<typeof measure>>;

export const writtenElsewhere = deployments.map(
  ({ name, kind, choices = {} }): Deployment => ({
    name,
    async open(seed) {
      const { operations = {} } = choices;
      const target = { ...mockTarget('http://api.elsewhere.example'), operations };
      const environment: Environment = virtualEnvironment({ seed, answer: (request) => answer(request) });
      const answer = serving(kind, choices, environment.now);
      return { target, environment, journal: memoryJournal() };
    },
  }),
);

/** The mock in unusual ways that keep the contract. */
export const variants = legalVariants.map(
  (variant): Deployment => ({
    name: variant.id,
    async open(seed) {
      const { mockOptions, describe } = variantOf(variant);
      const { environment, target } = await virtualMock({ seed, ...mockOptions });
      return { target: describe(target), environment, journal: memoryJournal() };
    },
  }),
);

/**
 * Records one conformance run of a new instance, learns from it, and compares the mock with another new instance by random sequences that were no
 * part of it, all in virtual time.
 */
export async function measure(
  { name, open }: Deployment,
  { sequences, steps, seed }: { sequences: number; steps: number; seed: number },
) {
  const { target, environment, journal } = await open(seed);
  const history = await gather(target, { environment, journal, kit: 'proof', allowLeftovers: true });
  const report = judge(history, { today: environment.now() });
  const recording = recordingOf(history);
  const learnFrom = profileOf(report, target);
  const { compared, alike, learned } = await measureFidelity(recording, { source: name, learnFrom });
  const { seeds } = await seenIn(recording);
  const profile = learned?.profile ?? learnFrom;
  const operations = { ...target.operations, ...profile.operations };
  const { mock, environment: mocked } = await virtualMock({
    seed,
    seeds,
    profile: { ...profile, operations, latency: undefined },
    rateLimit: false,
  });
  const b = {
    environment: mocked,
    journal: memoryJournal(),
    target: describedLike(target, mock, seeds, 'http://mock.example'),
  };
  const options = { kit: 'proof', seed, sequences, steps, allowLeftovers: true, shrink: false };
  const result = await compareDeployments(await open(seed), b, options);
  await mock.close();
  return {
    name,
    /** Rules that the run found broken: a deployment that breaks one measures nothing. */
    broken: report.rows.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id),
    /** Replies of that run that the mock gives alike, before and after. */
    recorded: { before: alike / compared, after: (learned?.alike ?? 0) / (learned?.compared ?? 1) },
    compared: result,
  };
}
