import type { History } from '../../history/history.ts';
import { keysIn } from '../../laws/limiter/keys-in.ts';
import type { Situation } from '../../scripts/script.ts';
import { takeTurns } from '../../situations/limiter/in-turn.ts';
import { createSenders } from '../../situations/limiter/senders.ts';
import { keysToOverload } from '../../situations/limiter/volleys.ts';
import { keyFor } from '../../target/keys.ts';

/**
 * If a key was throttled below its rate, and another client may have used it: whether other keys take its tokens, which only shows when nothing
 * else is sent.
 */
export function throttledKey(history: History): Situation[] {
  const [doubtful] = keysIn(history).filter(({ interference, measured }) => interference !== null && !measured);
  if (doubtful === undefined) return [];
  return [
    {
      id: 'limiter/apart-at-the-end',
      title: `key ${doubtful.key}, which was throttled below its rate, is used with all other keys at the same time and alone, in turn`,
      feeds: ['limiter/own-bucket-per-key'],
      uses: [],
      // The deployment of the scene has the secrets of keys; that of the history has only placeholders.
      async run(scene) {
        const { deployment, fails } = scene;
        const found = keyFor(deployment, { use: 'limits' });
        const keys = keysToOverload(deployment);
        const suspect = keys.find(({ tenant, name }) => `${tenant}/${name}` === doubtful.key);
        if (suspect === undefined || 'missing' in found || fails('limiter/own-bucket-per-key')) return;
        await takeTurns(scene, suspect, [found.key, ...keys], createSenders(), found.key);
      },
    },
  ];
}
