import { rest } from '../../../spec/limiter/measurement.ts';
import { type Phase, volley } from '../../../spec/limiter/phase.ts';
import type { Situation } from '../../scripts/script.ts';
import type { KeyOfTenant } from '../../target/keys.ts';
import { limiterRules } from './limiter-rules.ts';
import { play } from './play.ts';
import { isShared, limitOf, lockOf, proofOf, type Senders } from './senders.ts';

/** A network that hid a part once seldom hides it in each further round. */
const rounds = 3;

/** Seconds. Longer than the first overload, since a few replies that are late hide what happens around them. */
const overloadSeconds = 20;

/** Where delays and faults hid a part of the measurement, it is made again, so that a right limiter behind a bad network can be called so. */
export const measuredAgain = (key: KeyOfTenant, senders: Senders): Situation => ({
  id: 'limiter/measured-again',
  title: 'if the measurement could not have shown a wrong limit, another volley and a longer overload are sent',
  feeds: limiterRules,
  uses: [],
  limits: 'parallel',
  locks: [lockOf(key)],
  async run(scene) {
    const limit = limitOf(key);
    const phases: readonly Phase[] = [
      rest(limit),
      volley(limit),
      { kind: 'steady', perSecond: 1.5 * limit.perSecond, seconds: overloadSeconds },
    ];
    for (let round = 0; round < rounds; round++) {
      if (scene.planning || isShared(scene, key, senders)) return;
      const { verdict, missed, counts } = proofOf(key, senders, { startedFull: false });
      // The key may have been used just before the run. A limiter that never throttles shows no more the second time.
      if (verdict !== 'inconclusive' || missed.length === 0 || counts.throttled === 0) return;
      const fire = await senders.senderFor(scene, key);
      for (const phase of phases) await play(phase, scene, fire, limit);
    }
  },
});
