import type { Way } from '../../compare/compare.ts';
import type { Step } from '../../compare/steps.ts';

type Test = (way: Way['difference'], step: Step) => boolean;

const refusedElsewhere = (way: Way['difference']) =>
  [way.recorded, way.mock].every((told) => /^4/.test(told)) || way.at === 'body.error.code';

const inBody: Test = ({ at }) => at.startsWith('body');

/** Why a mock that has learned still differs, in the order in which they are tried. What no line explains is a defect of mock or learning. */
const reasons: readonly (readonly [reason: string, test: Test, deployment?: string])[] = [
  [
    'an id in capitals is another id there, and the same in the mock',
    ({ recorded }, { change }) => change === 'the id in capitals' && /^404/.test(recorded),
  ],
  [
    'a request with several reasons to be refused gets another of them: the run has not shown which is checked first',
    (way, step) => refusedElsewhere(way) && oddities(step) > 1,
  ],
  ['the product writes messages by itself', ({ at }) => at === 'body.messages[]', 'same-automatic-messages'],
  [
    'labels on a link, which no reply of the run has shown',
    (way, { operation }) => inBody(way, {} as Step) && operation.includes('ClientSite'),
    'only-what-is-documented',
  ],
  [
    'a profile has bodies of JSON, and a page is none',
    ({ at }) => /^body$|content-type/.test(at),
    'malformed-ids-match-no-route',
  ],
  [
    'a path in capitals or with a slash at its end is the same path there',
    (_, { change }) => /slash at the end|capitals/.test(change),
    'forgiving-router',
  ],
  [
    'a profile cannot permit a path that the contract does not have',
    ({ recorded }) => recorded === '200',
    'health-without-version',
  ],
  ['properties that only some records have', inBody, 'nothing-in-a-closed-context'],
  [
    'a documented operation is elsewhere, and the target file does not say where',
    () => true,
    'labels-removed-elsewhere',
  ],
  ['a profile has no labels of a site as a bare list', ({ at }) => at === 'body', 'site-removals-answer-ids'],
  [
    'the removal of a private label succeeds whoever asks',
    ({ recorded }) => recorded === '200',
    'private-removal-says-200',
  ],
  ['a profile has one form of success for each operation', inBody, 'private-removal-says-200'],
  ['a profile has lists of labels, not objects by id', inBody, 'sets-by-id'],
];

/** The share of a recorded run that is alike after learning, where less than 99.5%, and why. */
export const unlike: Readonly<Record<string, readonly [share: number, why: string]>> = {
  'malformed-ids-match-no-route': [0.97, 'a refusal that is a page'],
  'health-without-version': [0.97, 'a success where the contract has no path'],
  'nothing-in-a-closed-context': [0.98, 'properties that only some records have'],
  'labels-removed-elsewhere': [0.98, 'documented operations that are missing'],
  'refill-every-500-ms': [0.96, 'a bucket that is filled in steps'],
  'refill-every-1000-ms': [0.95, 'a bucket that is filled in steps'],
  'rejected-requests-consume': [0.95, 'throttled requests that take tokens'],
  'rejected-requests-go-into-debt': [0.9, 'throttled requests that take tokens'],
  'site-removals-answer-ids': [0.9, 'labels of a site as a bare list'],
  'private-removal-says-200': [0.99, 'a success of another form where nothing happens'],
  'sets-by-id': [0.9, 'labels as an object by id'],
};

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
  const found = step && reasons.find(([, test, of = deployment]) => of === deployment && test(difference, step));
  return found?.[0] ?? null;
}
