import type { History } from '../../history/history.ts';
import { deploymentIn } from '../../laws/judging/asked.ts';
import { keysIn } from '../../laws/limiter/keys-in.ts';
import type { Situation } from '../../scripts/script.ts';
import { lawfulAsks } from '../../situations/asking/lawful.ts';
import { mostThrottled } from '../../situations/limiter/most-throttled.ts';
import { holderKey } from '../../target/holder.ts';
import { keysFor } from '../../target/keys.ts';
import { tenantsOf } from '../../target/records.ts';

/** So many keys that are throttled below their rate are no other client's doing. */
const maxKeys = 4;

/** Requests of each key at its rate. They empty a bucket of the operation with half of the rate and half of the burst. */
const requests = 45;

/**
 * If a key was throttled below its rate, and another client may have used it: whether other keys are throttled as well in an operation that was
 * throttled more than others. It may have a limit of its own.
 */
export function throttledOperation(history: History): Situation[] {
  const doubtful = keysIn(history).filter(({ interference }) => interference !== null);
  // Volleys are throttled on purpose.
  const operation = mostThrottled(doubtful.flatMap(({ exchanges }) => exchanges.filter(({ paced }) => paced)));
  if (operation === undefined) return [];
  const known = deploymentIn(history);
  const asked = tenantsOf(known).flatMap((owner) => lawfulAsks(operation, known, () => '', owner).slice(0, 1));
  return [
    {
      id: `limiter/throttled-operation/${operation}`,
      title: `${operation}, which was throttled below the rate of a key, is sent with other keys at their rate`,
      feeds: ['limiter/steady-rate'],
      uses: [operation],
      locks: asked.flatMap(({ holder }) => (holder === undefined ? [] : [holderKey(holder.holder)])),
      writes: 'labels',
      async run({ deployment, send, newId, fails }) {
        if (fails('limiter/steady-rate')) return;
        // The first tenant leaves room for a key of the second one.
        const keys = tenantsOf(deployment).flatMap((owner) =>
          keysFor(deployment, operation, owner)
            .slice(0, maxKeys - 1)
            .map((key) => ({ key, owner })),
        );
        await Promise.all(
          keys.slice(0, maxKeys).map(async ({ key, owner }) => {
            const [lawful] = lawfulAsks(operation, deployment, newId, owner);
            if (lawful !== undefined)
              await Promise.all(Array.from({ length: requests }, () => send({ ...lawful.ask, key })));
          }),
        );
      },
    },
  ];
}
