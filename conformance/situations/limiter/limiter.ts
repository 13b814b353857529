import { measurement, type Part } from '../../../spec/limiter/measurement.ts';
import type { Generate } from '../../scripts/script.ts';
import { keyFor } from '../../target/keys.ts';
import { narrowestReader } from '../../target/light-reads.ts';
import { afterLongerRests } from './after-longer-rests.ts';
import { exhausted } from './exhausted.ts';
import { inTurn } from './in-turn.ts';
import { limiterRules } from './limiter-rules.ts';
import { measuredAgain } from './measured-again.ts';
import { measuredPart } from './measured-part.ts';
import { otherKeysAtTheRate } from './other-keys-at-the-rate.ts';
import { createSenders, exhaustedId, limitOf } from './senders.ts';
import { labelsFor } from './throttled-writes.ts';
import { volleysWithPauses } from './volleys-with-pauses.ts';
import { windowEnds } from './window-ends.ts';

/** So much of the overload comes late, because a limiter may change with its age. */
const lateSeconds = 5;

const shortened = ({ name, phases }: Part, change: (seconds: number) => number): Part => ({
  name,
  phases: phases.map((phase) => (phase.kind === 'steady' ? { ...phase, seconds: change(phase.seconds) } : phase)),
});

/** Situations about the rate limiter: first two keys, then the measurement with the reserved key at the same time as everything else. */
export const limiter: Generate = function* (deployment) {
  const found = keyFor(deployment, { use: 'limits' });
  if ('missing' in found) {
    yield {
      id: 'limiter',
      feeds: ['limiter/own-bucket-per-key', 'limiter/429-comes-before-the-handler', ...limiterRules],
      missing: [found.missing],
    };
    return;
  }
  const { key } = found;
  const senders = createSenders();
  const other = narrowestReader(deployment);
  if (other === undefined)
    yield {
      id: exhaustedId,
      feeds: ['limiter/own-bucket-per-key'],
      missing: ['tenants[0].keys: a second key'],
    };
  else {
    yield exhausted(deployment, key, other, senders);
    yield inTurn(deployment, key, other, senders);
  }
  if (labelsFor(deployment, key).length === 0) {
    const missing = ['tenants[0].keys: a key with use: limits that may apply and remove labels'];
    yield { id: 'limiter/throttled-writes', feeds: ['limiter/429-comes-before-the-handler'], missing };
  }
  const parts = measurement(limitOf(key));
  for (const part of parts)
    if (part.name === 'sustained')
      yield measuredPart(
        shortened(part, (seconds) => seconds - lateSeconds),
        key,
        senders,
      );
    else if (part.name !== 'clustering') yield measuredPart(part, key, senders);
  yield afterLongerRests(key, senders);
  for (const part of parts)
    if (part.name === 'sustained')
      yield measuredPart(
        shortened(part, () => lateSeconds),
        key,
        senders,
        '-later',
      );
  yield* volleysWithPauses(deployment, key);
  for (const part of parts) if (part.name === 'clustering') yield windowEnds(part, key, senders);
  yield measuredAgain(key, senders);
  yield otherKeysAtTheRate(deployment, key, senders);
};
