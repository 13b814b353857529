import type { Situation } from '../../scripts/script.ts';
import type { Deployment } from '../../target/deployment.ts';
import type { KeyOfTenant } from '../../target/keys.ts';
import { limitOf, restOf, volley } from './senders.ts';
import { exhaust, keysToOverload } from './volleys.ts';

const volleys = 4;
/** Milliseconds between the volleys. A bucket may wrongly be full again after a pause that is too short for that. */
const pause = 1_100;

/** With another key than the measured one, whose requests bound the time of a run. */
export function* volleysWithPauses(deployment: Deployment, measured: KeyOfTenant): Generator<Situation> {
  const [key] = keysToOverload(deployment, measured)
    .filter(({ use }) => use === undefined)
    .sort((a, b) => a.scopes.length - b.scopes.length);
  if (key === undefined) return;
  yield {
    id: 'limiter/volleys-with-pauses',
    title: `key ${key.name} sends ${volleys} volleys with pauses of ${pause / 1000} s`,
    feeds: ['limiter/clustering-gains-nothing'],
    uses: ['listLabels'],
    limits: 'parallel',
    async run({ send, sleep }) {
      // Where the measurement begins, the key may just have been used.
      await sleep(restOf(key));
      const fire = () => send({ operation: 'listLabels', key, unpaced: true });
      await exhaust(fire, limitOf(key), 1);
      for (let i = 1; i < volleys; i++) {
        await sleep(pause);
        await volley(limitOf(key).burst, fire);
      }
    },
  };
}
