import type { Environment } from '../../../conformance/client/environment.ts';
import { judge } from '../../../conformance/index.ts';
import { memoryJournal } from '../../../conformance/journal/write-journal.ts';
import { profileOf } from '../../../conformance/profile.ts';
import { virtualEnvironment, virtualMock } from '../../../conformance/proof/trials/virtual-mock.ts';
import { gather } from '../../../conformance/run/run.ts';
import { parseTarget, type Target } from '../../../spec/files/target.ts';
import { compareDeployments } from '../../compare/compare.ts';
import { describedLike } from '../../compare/mock-side.ts';
import type { Side } from '../../compare/side.ts';
import { measureFidelity } from '../../fidelity.ts';
import { recordingOf } from '../../recording.ts';
import { seenIn } from '../../seen.ts';
import { answering } from './base.ts';
import type { deployments } from './deployments.ts';
import { targetOf } from './world.ts';

type Written = (typeof deployments)[number];

/** How like a deployment the mock is that has learned from one conformance run. */
export type Measured = Awaited<ReturnType<typeof measure>>;

function sideOf({ make, choices }: Written, seed: number): Side {
  const target: Target = parseTarget(targetOf('http://api.elsewhere.example', choices.operations), {}, 'elsewhere');
  const environment: Environment = virtualEnvironment({
    seed,
    answer: (request) => answer(request),
  });
  const answer = answering(make(choices), choices, environment.now);
  return { target, environment, journal: memoryJournal() };
}

/**
 * Records one conformance run of a new instance, learns from it, and compares the mock with another new instance by random sequences that were no
 * part of it, all in virtual time.
 */
export async function measure(
  written: Written,
  { sequences, steps, seed }: { sequences: number; steps: number; seed: number },
) {
  const { target, environment, journal } = sideOf(written, seed);
  const history = await gather(target, { environment, journal, kit: 'proof', allowLeftovers: true });
  const report = judge(history, { today: environment.now() });
  const recording = recordingOf(history);
  const learnFrom = profileOf(report, target);
  const { compared, alike, learned } = await measureFidelity(recording, { source: written.name, learnFrom });
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
  const result = await compareDeployments(sideOf(written, seed), b, options);
  await mock.close();
  return {
    name: written.name,
    /** Rules that the run found broken: a deployment that breaks one measures nothing. */
    broken: report.rows.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id),
    /** Replies of that run that the mock gives alike, before and after. */
    recorded: { before: alike / compared, after: (learned?.alike ?? 0) / (learned?.compared ?? 1) },
    compared: result,
  };
}
