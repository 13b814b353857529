import { expect, it } from 'vitest';
import { judge } from '../../conformance/index.ts';
import { profileOf } from '../../conformance/profile.ts';
import { tryDefect, tryVariant } from '../../conformance/proof/trials/trial.ts';
import { legalVariants } from '../../mock/wrong/habits/index.ts';
import { measureFidelity } from '../fidelity.ts';
import { recordingOf } from '../recording.ts';

/** Deployments of which a mock with the learned profile differs: the share that is alike at least, and what no profile says. */
const unlike: Readonly<Record<string, readonly [share: number, why: string]>> = {
  'talkative-errors': [0.99, 'errors that repeat what was asked for'],
  'bodies-where-none-is-needed-are-400': [0.99, 'a refusal of what the contract allows'],
  'malformed-ids-match-no-route': [0.97, 'a refusal that is a page'],
  'forgiving-router': [0.99, 'two replies to one reason'],
  'health-without-version': [0.97, 'a path outside of /v1'],
  'nothing-in-a-closed-context': [0.98, 'properties that some records have'],
  'labels-removed-elsewhere': [0.98, 'documented operations that are missing'],
  'refill-in-ticks': [0.99, 'a bucket that is filled in steps'],
  'refill-every-500-ms': [0.96, 'a bucket that is filled in steps'],
  'refill-every-1000-ms': [0.95, 'a bucket that is filled in steps'],
  'rejected-requests-consume': [0.95, 'throttled requests that take tokens'],
  'rejected-requests-go-into-debt': [0.9, 'throttled requests that take tokens'],
  'labels-in-linked-pages': [0.9, 'a list in pages'],
  'site-removals-answer-ids': [0.9, 'labels of a site as a bare list'],
  'private-removal-says-200': [0.98, 'a success where nothing happens'],
  'labels-have-parents': [0.7, 'labels of labels'],
  'sets-by-id': [0.9, 'labels as an object by id'],
};

it('the mock is alike to itself', async () => {
  const { history } = await tryDefect(null);
  const { ways } = await measureFidelity(recordingOf(history), { source: 'the mock' });
  expect(ways).toEqual([]);
});

it.each(legalVariants)('a mock that has learned from $id is alike', async (variant) => {
  const { history } = await tryVariant(variant);
  const learnFrom = profileOf(judge(history), history.known.target);
  const { learned } = await measureFidelity(recordingOf(history), { source: variant.id, learnFrom });
  const { alike = 0, compared = 0 } = learned ?? {};
  expect(compared).toBeGreaterThan(1_000);
  const [share = 1] = unlike[variant.id] ?? [];
  expect(alike / compared).toBeGreaterThanOrEqual(share);
});
