import type { Way } from '../../compare/compare.ts';
import type { Step } from '../../compare/steps.ts';

type Test = (way: Way['difference'], step: Step) => boolean;

const refusedElsewhere = (way: Way['difference']) =>
  way.what === 'status' && /^4/.test(way.recorded) && /^4/.test(way.mock);

/** Why a mock that has learned still differs, in the order in which they are tried. What no line explains is a defect of mock or learning. */
const reasons: readonly (readonly [reason: string, test: Test])[] = [
  [
    'an id in capitals is another id there, and the same in the mock',
    (_, { change }) => change === 'the id in capitals',
  ],
  [
    'a request with several reasons to be refused gets another of them: the run has not shown which is checked first',
    (way, step) => refusedElsewhere(way) && oddities(step) > 1,
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
