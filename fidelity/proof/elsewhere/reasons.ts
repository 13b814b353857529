import type { Way } from '../../compare/compare.ts';
import type { Step } from '../../compare/steps.ts';

type Test = (way: Way['difference'], step: Step) => boolean;

const refusedElsewhere = (way: Way['difference']) =>
  way.what === 'status' && /^4/.test(way.recorded) && /^4/.test(way.mock);

/** Why a mock that has learned still differs, in the order in which they are tried. What no line explains is a defect of mock or learning. */
const reasons: readonly (readonly [reason: string, test: Test])[] = [
  [
    'the mock keeps the bytes of a registered file (assumed), and no profile can say that they may be replaced',
    ({ recorded, mock }, { operation }) => operation === 'storage' && /^2/.test(recorded) && mock === '403',
  ],
  [
    'a path in which a letter is encoded is another path there, and the same in the mock (RFC 3986, 6.2.2.2)',
    (_, { change }) => change === 'an encoded letter',
  ],
  [
    'an id in capitals is another id there, and the same in the mock',
    (_, { change }) => change === 'the id in capitals',
  ],
  ['which methods Allow names; a profile cannot leave out a header', ({ at }) => at === 'header allow'],
  [
    'a label that cannot be on is taken off with success there, and a profile cannot permit what the mock refuses',
    ({ recorded, mock }, { operation }) => operation.startsWith('remove') && recorded === '200' && /^4/.test(mock),
  ],
  [
    'a request with several reasons to be refused gets another of them: a profile has no order of checks',
    (way, step) => refusedElsewhere(way) && oddities(step) > 1,
  ],
  [
    'ids have no form there, so a malformed one is unknown; which comes first is an order of checks',
    (way, { owner, label }) => refusedElsewhere(way) && (owner === 'malformed' || label === 'malformed'),
  ],
];

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
export function reasonOf({ difference, sequence }: Way): string | null {
  const step = sequence.at(-1)?.step;
  const found = step && reasons.find(([, test]) => test(difference, step));
  return found?.[0] ?? null;
}
