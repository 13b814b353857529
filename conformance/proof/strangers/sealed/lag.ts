import { cache, further, inTurn, settles } from '../lag.ts';
import { lagging, strangers } from '../stranger.ts';

export const lag = strangers({
  'three-replicas': ['has three replicas: at once, 300 and 800 ms behind', inTurn(0, 300, 800)],
  'other-keys': [
    'shows a write to other keys than full after 700 ms',
    lagging((_, { key }) => (key?.name === 'full' ? 0 : 700)),
  ],
  'busy-for-a-while': [
    'is 4 s behind from the 20th to the 40th second, while a job runs',
    (scene) => {
      const { clock } = scene.mock;
      const since = clock.now();
      return lagging(() => (Math.abs(clock.now() - since - 30_000) < 10_000 ? 4_000 : 0))(scene);
    },
    further,
  ],
  'cache-as-told': ['keeps contexts for 2 s, and says so', { around: cache(2_000), ...settles(2_000) }],
});
