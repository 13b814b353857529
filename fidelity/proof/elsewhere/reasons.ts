import type { Way } from '../../compare/compare.ts';
import type { Step } from '../../compare/steps.ts';

type Test = (way: Way['difference'], step: Step) => boolean;

const refusedElsewhere = (way: Way['difference']) =>
  [way.recorded, way.mock].every((status) => /^4/.test(status)) || way.at === 'body.error.code';

const inBody: Test = ({ at }) => at.startsWith('body');
const isServed: Test = ({ recorded }) => recorded === '200';
const never: Test = () => false;

/**
 * Why a mock that has learned still differs: of every deployment or of this one, in the order in which they are tried, and the share of the recorded
 * run that is alike all the same, where less than 99.5%. What no line explains is a defect of mock or learning.
 */
const reasons: readonly (readonly [of: string | null, why: string, test: Test, share?: number])[] = [
  [
    null,
    'an id in capitals is another id there, and the same in the mock',
    ({ recorded }, { change }) => change === 'the id in capitals' && /^404/.test(recorded),
  ],
  [
    null,
    'a request with several reasons to be refused gets another of them: the run has not shown which is checked first',
    (way, step) => refusedElsewhere(way) && oddities(step) > 1,
  ],
  ['same-automatic-messages', 'the product writes messages by itself', ({ at }) => at === 'body.messages[]'],
  [
    'only-what-is-documented',
    'labels on a link, which no reply of the run has shown',
    (way, step) => inBody(way, step) && step.operation.includes('ClientSite'),
  ],
  ['malformed-ids-match-no-route', 'a refusal that is a page', ({ at }) => /^body$|content-type/.test(at), 0.97],
  [
    'forgiving-router',
    'a path in capitals or with a slash at its end is the same path there',
    (_, { change }) => /slash at the end|capitals/.test(change),
  ],
  ['health-without-version', 'a success where the contract has no path', isServed, 0.97],
  ['nothing-in-a-closed-context', 'properties that only some records have', inBody, 0.98],
  ['labels-removed-elsewhere', 'documented operations that the target file does not name', () => true, 0.98],
  ['refill-every-500-ms', 'a bucket that is filled in steps', never, 0.96],
  ['refill-every-1000-ms', 'a bucket that is filled in steps', never, 0.95],
  ['rejected-requests-consume', 'throttled requests that take tokens', never, 0.95],
  ['rejected-requests-go-into-debt', 'throttled requests that take tokens', never, 0.9],
  ['site-removals-answer-ids', 'labels of a site as a bare list', ({ at }) => at === 'body', 0.9],
  ['private-removal-says-200', 'the removal of a private label succeeds whoever asks', isServed, 0.99],
  ['private-removal-says-200', 'a success of another form where nothing happens', inBody, 0.99],
  ['sets-by-id', 'labels as an object by id', inBody, 0.9],
];

/** The least share of the recorded run that is alike after learning; undefined where the deployment is no exception. */
export const leastOf = (deployment: string): number | undefined =>
  reasons.find(([of, , , share]) => of === deployment && share !== undefined)?.[3];

/** How many things are unusual about a step, each of which may be a reason to refuse it. */
const oddities = ({ who, owner, label, change, file, operation }: Step): number =>
  [
    !/^a (narrow )?key$/.test(who),
    owner !== 'ours',
    !['a label', 'another label'].includes(label),
    change !== 'none',
    operation === 'registerSiteFile' && file === 'unknown',
  ].filter(Boolean).length;

/** Why this way is left; null if nobody knows. */
export function reasonOf(deployment: string, { difference, sequence }: Way): string | null {
  const step = sequence.at(-1)?.step;
  const found = step && reasons.find(([of, , test]) => (of ?? deployment) === deployment && test(difference, step));
  return found?.[1] ?? null;
}
