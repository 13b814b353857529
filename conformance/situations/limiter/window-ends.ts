import type { Part } from '../../../spec/limiter/measurement.ts';
import type { Situation } from '../../scripts/script.ts';
import type { KeyOfTenant } from '../../target/keys.ts';
import { limiterRules } from './limiter-rules.ts';
import { play } from './play.ts';
import { exhaustedId, limitOf, lockOf, proofOf, restOf, type Senders } from './senders.ts';

/** The volleys around the ends of windows come after the other parts, because earlier replies show whether they are needed. */
export const windowEnds = ({ phases }: Part, key: KeyOfTenant, senders: Senders): Situation => ({
  id: 'limiter/clustering',
  title:
    'if the limiter may not be a bucket, volleys are sent with a rested key, and around the ends of possible windows',
  feeds: limiterRules,
  uses: [],
  limits: 'parallel',
  locks: [lockOf(key)],
  async run(scene) {
    /** Whether it is shown that the limiter admits too many at once, or in volleys. */
    const isSurelyLax = () => scene.fails('limiter/burst') || scene.fails('limiter/clustering-gains-nothing');
    const wasExhausted = senders.sent(key).some(({ situation }) => situation === exhaustedId);
    if (wasExhausted && (scene.planning || !mayHaveWindows())) return;
    await scene.sleep(restOf(key));
    const fire = await senders.senderFor(scene, key);
    for (const phase of phases) await play(phase, scene, fire, limitOf(key), isSurelyLax);

    /** A limiter that is a bucket, even a wrong one, has no windows, unless it refills in steps. */
    function mayHaveWindows(): boolean {
      if (scene.fails('limiter/own-bucket-per-key') || scene.fails('limiter/over-the-rate-is-429')) return false;
      const { verdict, limit, measured, kind } = proofOf(key, senders);
      // What is answered late says nothing about windows.
      if (kind?.name === 'delay') return false;
      if (limit.tick) return true;
      if (verdict !== 'inconclusive' && measured.bucket) return false;
      // Windows would not make it right.
      return !isSurelyLax() && !scene.fails('limiter/steady-rate');
    }
  },
});
