import { restSeconds } from '../../../spec/limiter/limit.ts';
import { manyTokens, missingAtFirst, missingTokens } from '../../../spec/limiter/missing-tokens.ts';
import { restedRuns } from '../../../spec/limiter/observation.ts';
import type { Exchange } from '../../history/exchange.ts';
import { narrowestReader } from '../../target/light-reads.ts';
import { deploymentIn } from '../judging/asked.ts';
import { type Breach, lawOf } from '../judging/law.ts';
import { isThrottled, type KeyUse, sampleOf } from './key-use.ts';
import { keysIn } from './keys-in.ts';

const unpaced = ({ exchanges }: KeyUse, situation: string) =>
  exchanges.filter((one) => one.situation === `limiter/${situation}` && !one.paced);

/** Compares keys: they are used at the same time, then alone. */
export const ownBucket = lawOf(
  'limiter/own-bucket-per-key',
  'each key has a bucket of its own: no use of one key takes tokens from another',
  (history) => {
    const deployment = deploymentIn(history);
    const uses = keysIn(history).filter((use) => unpaced(use, 'exhausted').length > 0);
    const exhausted = uses.find((use) => use.measured && unpaced(use, 'exhausted').some(isThrottled));
    const narrow = narrowestReader(deployment);
    const other = uses.find(({ key }) => key === `${narrow?.tenant}/${narrow?.name}`);
    if (exhausted === undefined || other === undefined) return { applied: 0, breaches: [] };
    const breaches: Breach[] = [];
    const unclear: string[] = [];
    const expectedOf = ({ key }: KeyUse) => `key ${key} has a bucket of its own`;
    for (const use of uses) {
      const { together, alone } = inTurn(use, uses);
      const [exchange] = together.flat().filter(isThrottled);
      if (exchange === undefined || together.length < minTurns || alone.length < minTurns) continue;
      const missing = (run: readonly Exchange[]) => missingTokens(use.limit, run.map(sampleOf));
      if (together.every((run) => missing(run) >= manyTokens(use.limit)) && alone.every((run) => missing(run) === 0))
        breaches.push({
          exchange,
          expected: expectedOf(use),
          observed: `key ${use.key}, though rested, lacked tokens all ${together.length} times when other keys were used at the same time, and none of ${alone.length} times alone`,
        });
    }
    for (const use of [exhausted, other])
      if (
        missingAtFirst(use.limit, unpaced(use, 'exhausted').map(sampleOf)) > 0 &&
        !breaches.some(({ expected }) => expected === expectedOf(use))
      )
        unclear.push(`key ${use.key} lacked tokens while other keys were used; whether they took them is not shown`);
    return { applied: uses.length, breaches, unclear };
  },
);

/** So often, another client does not by chance use a key whenever other keys are used, and never when it is used alone. */
const minTurns = 3;

/** The volleys of a key that is used in turn together with other keys and alone. */
function inTurn(use: KeyUse, uses: readonly KeyUse[]) {
  const turns = (one: KeyUse) => [...unpaced(one, 'apart'), ...unpaced(one, 'apart-at-the-end')];
  const others = uses.filter((one) => one !== use).flatMap(turns);
  const { perSecond, burst } = use.limit;
  // Shorter than the rests, so that the resolution of the clock does not matter.
  const runs = restedRuns(turns(use), { perSecond, burst: burst / 2 });
  const near = restSeconds(use.limit) * 500;
  const isTogether = (run: readonly Exchange[]) =>
    others.some(({ sentAt }) => run.some((one) => Math.abs(one.sentAt - sentAt) < near));
  return { together: runs.filter(isTogether), alone: runs.filter((run) => !isTogether(run)) };
}
