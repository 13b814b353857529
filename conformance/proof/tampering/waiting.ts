import type { RateLimit } from '../../../mock/keys/bucket.ts';
import { type Asked, onReply, type Scene } from '../../../mock/proof/tampering/tamper.ts';
import { usable } from './predicates.ts';

type Key = NonNullable<Asked['key']>;

/** How long requests wait that leave at a rate, but for a burst of them that leave at once. In milliseconds. */
function queue({ perSecond, burst }: RateLimit): (now: number) => number {
  const interval = 1000 / perSecond;
  let due = Number.NEGATIVE_INFINITY;
  return (now) => {
    const wait = Math.max(0, due - now - burst * interval);
    due = Math.max(due, now) + interval;
    return wait;
  };
}

const limitOf = ({ rateLimit = { perSecond: 10, burst: 20 } }: Key): RateLimit => rateLimit;

/** What each key has of its own. */
function ofKeys<T>(make: (limit: RateLimit) => T): (key: Key) => T {
  const known = new Map<string, T>();
  return (key) => {
    const one = known.get(key.id) ?? make(limitOf(key));
    known.set(key.id, one);
    return one;
  };
}

/** Sends the replies to a key at its rate, however its requests came. @param burst replies that leave at once, of the burst of the key */
export const heldBack =
  (burst: (limit: RateLimit) => number, when: (asked: Asked) => boolean = () => true) =>
  (scene: Scene) => {
    const queueOf = ofKeys((limit) => queue({ ...limit, burst: burst(limit) }));
    return onReply((asked) => {
      const { key, reply, id, mock } = asked;
      if (key === undefined || !usable(asked) || id === 'storage' || reply.status === 429 || !when(asked))
        return undefined;
      const delay = queueOf(key)(mock.clock.now());
      return delay > 0 ? { ...reply, delay } : undefined;
    })(scene);
  };
