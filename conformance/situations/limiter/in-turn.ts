import { type Limit, restSeconds } from '../../../spec/limiter/limit.ts';
import { manyTokens, missingTokens } from '../../../spec/limiter/missing-tokens.ts';
import type { Scene } from '../../experiments/scene.ts';
import type { Situation } from '../../scripts/script.ts';
import type { Deployment } from '../../target/deployment.ts';
import type { KeyOfTenant } from '../../target/keys.ts';
import { limiterRules } from './limiter-rules.ts';
import { exhaustedId, limitOf, missingInAll, missingTo, type Senders, samplesOf, volley } from './senders.ts';
import { exhaust, inGroups, keysToOverload } from './volleys.ts';

/** So often, another client does not by chance use a key whenever other keys are used, and never when it is used alone. */
const rounds = 3;

/** Milliseconds that fill a bucket, and after which the law takes the next volley for another turn. */
const shortRest = ({ perSecond, burst }: Limit) =>
  1000 * Math.max(burst / perSecond + 0.25, restSeconds({ perSecond, burst: burst / 2 }) + 0.1);

/**
 * If a key lacked tokens in its volley, other keys may have taken them. So it is used together with the others and alone, until one volley
 * shows that they did not.
 */
export const inTurn = (deployment: Deployment, key: KeyOfTenant, other: KeyOfTenant, senders: Senders): Situation => ({
  id: 'limiter/apart',
  title: `if a key lacked tokens in its volley, it is used with the other keys at the same time and alone, up to ${rounds} times each in turn`,
  feeds: ['limiter/own-bucket-per-key', ...limiterRules],
  uses: [],
  limits: 'first',
  async run(scene) {
    if (scene.planning) return;
    const everyOther = keysToOverload(deployment, other);
    const all = [key, other, ...everyOther];
    const missing = (one: KeyOfTenant) => missingInAll(one, senders, exhaustedId);
    const lacksMany = (one: KeyOfTenant, lacking: number) => lacking >= manyTokens(limitOf(one));
    const suspect =
      [key, other].find((one) => lacksMany(one, missingTo(one, senders, exhaustedId))) ??
      everyOther.toSorted((a, b) => missing(b) - missing(a)).find((one) => lacksMany(one, missing(one)));
    if (suspect === undefined) return;
    await takeTurns(scene, suspect, all, senders, key);
  },
});

/**
 * Uses a key with all others at the same time, and then alone, until one of its volleys shows that they take no tokens from it.
 * @param like a key whose operations are sent
 */
export async function takeTurns(
  scene: Scene,
  suspect: KeyOfTenant,
  all: readonly KeyOfTenant[],
  senders: Senders,
  like: KeyOfTenant,
): Promise<void> {
  const limit = limitOf(suspect);
  const others = all.filter((one) => one !== suspect);
  const rest = Math.max(...all.map((one) => shortRest(limitOf(one))));
  const fire = await senders.senderFor(scene, suspect, { like });
  const lacksNow = async () => missingTokens(limit, samplesOf(await volley(limit.burst, fire)));
  // Longer by a burst, because throttled requests may have taken tokens as well.
  await scene.sleep((1000 * limit.burst) / limit.perSecond);
  for (let round = 0; round < rounds; round++) {
    await scene.sleep(rest);
    // A bucket that is filled only when it is used must not hide what others take from it now.
    await fire();
    // Above their limits, as at first, and before it: the last key to send lacks the tokens that others took.
    await inGroups(others, async (one) => exhaust(await senders.senderFor(scene, one, { like }), limitOf(one)));
    if ((await lacksNow()) < manyTokens(limit)) return;
    await scene.sleep(rest);
    if ((await lacksNow()) > 0) return;
  }
}
