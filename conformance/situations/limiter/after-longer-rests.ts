import { type Limit, restSeconds } from '../../../spec/limiter/limit.ts';
import { readRetryAfter } from '../../../spec/limiter/reply/retry-after.ts';
import type { Scene } from '../../experiments/scene.ts';
import type { Situation } from '../../scripts/script.ts';
import type { KeyOfTenant } from '../../target/keys.ts';
import { limiterRules } from './limiter-rules.ts';
import { apart, maxWait } from './play.ts';
import { type Fire, isShared, limitOf, lockOf, proofOf, type Senders } from './senders.ts';
import { exhaust } from './volleys.ts';

const id = 'limiter/again';

/** Repetitions tell a smaller burst or a key that is shut from another client, which does not take the same tokens each time. */
const rounds = 3;

/** So many times as long as a bucket takes to fill. A key that is idle for long must not collect more than a burst. */
const rests = 4;

/**
 * Another volley after a rest. Then one request is sent after the Retry-After of the last throttled one, and nothing before.
 * @returns whether that request was throttled
 */
async function volleyAndRetry({ now, sleep }: Scene, fire: Fire, limit: Limit): Promise<boolean> {
  const first = await exhaust(fire, limit, 1);
  // Earlier replies must surely be older. The bucket is empty now, so this one is throttled.
  await sleep(apart);
  const second = await fire();
  const { seconds } = readRetryAfter(second.headers['retry-after']);
  if (second.status !== 429 || seconds === undefined || seconds > maxWait) return false;
  // Throttled requests may take tokens as well. If these are not refilled by then, they are waited for.
  const taken = [...first, second].filter(({ status }) => status === 429).length + 1;
  const wait = Math.max(seconds * 1001, (taken * 1000) / limit.perSecond) + apart;
  await sleep(Math.max(0, second.doneAt + wait - now()));
  return (await fire()).status === 429;
}

/** To find a burst that changes after the first one, or with the time since the last request, and a key that stays shut after a 429. */
export const afterLongerRests = (key: KeyOfTenant, senders: Senders): Situation => ({
  id,
  title: 'after a longer rest, another volley is sent, and a throttled request is repeated after its Retry-After',
  feeds: limiterRules,
  uses: [],
  limits: 'parallel',
  locks: [lockOf(key)],
  async run(scene) {
    if (isShared(scene, key, senders)) return;
    const fire = await senders.senderFor(scene, key);
    const limit = limitOf(key);
    // Even if throttled requests have left the bucket a whole burst below zero, it is full after the shorter rest.
    const rest = restSeconds({ ...limit, burst: 2 * limit.burst });
    for (let round = 0; round < rounds; round++) {
      await scene.sleep(1000 * (round === 0 ? rests * restSeconds(limit) : rest));
      const isShut = await volleyAndRetry(scene, fire, limit);
      const isStrict = proofOf(key, senders, { situation: id }).tooStrict !== undefined;
      if (scene.planning || !(isShut || isStrict)) return;
      if (scene.fails('limiter/steady-rate') || scene.fails('limiter/burst')) return;
    }
  },
});
