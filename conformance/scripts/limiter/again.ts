/**
 * At the end, alone: a key that was throttled too early is measured again, and other keys with the same requests at the same moments. If it is the
 * limiter, it shows with all of them; another client uses one key, and not at every time.
 */
import { Bench } from '../../experiments/bench.ts';
import type { History } from '../../history/history.ts';
import { carries, type KeyOfTenant, keyFor } from '../../target/keys.ts';
import { againId } from '../../verdict/limiter/buckets.ts';
import { doubtsOf } from '../../verdict/limiter/limiter.ts';
import { firstThrottled } from '../../verdict/limiter/runs.ts';
import type { Situation } from '../script.ts';
import { overload, volleyAndRetry } from './measured.ts';
import { lightReadsOf, modestKeys, play, restAfter, startOf } from './shots.ts';

/** Keys that are measured beside the one in question. */
const controls = 2;
/** Keys in question that are measured again. */
const maxKeys = 2;
/** Seconds of the overload of the others: that long, an honest bucket is not empty. */
const seconds = 8;

export function* limiterAgain(history: History): Generator<Situation> {
  for (const [n, { key: name, isReserved, runs }] of doubtsOf(history).slice(0, maxKeys).entries()) {
    const isOfStarts = !isReserved && runs.some((run) => firstThrottled(run)?.operation === 'startSiteFileUpload');
    yield {
      id: `${againId}/${n + 1}`,
      title: `key ${name} is measured again, alone, and other keys with the same requests at the same moments`,
      feeds: ['limiter/steady-rate', 'limiter/burst', 'limiter/waiting-retry-after-suffices'],
      uses: [],
      async run(scene) {
        const b = new Bench(scene, scene.state);
        const { deployment } = scene;
        const reserved = keyFor(deployment, { use: 'limits' });
        const all = [...('key' in reserved ? [reserved.key] : []), ...modestKeys(deployment)];
        const key = all.find((one) => `${one.tenant}/${one.name}` === name);
        if (key === undefined) return;
        const start = isOfStarts ? startOf(deployment) : null;
        const requestsOf = async (one: KeyOfTenant) => (start === null ? lightReadsOf(b, one) : [start]);
        const operations = (await requestsOf(key)).map(({ operation }) => operation);
        const others = all
          .filter((one) => one !== key && one.use === undefined && carries(one, deployment.scopesOf(...operations)))
          .filter((one) => start === null || one.tenant === key.tenant)
          .sort((x, y) => x.scopes.length - y.scopes.length)
          .slice(0, controls);
        await b.exclusive((alone) =>
          Promise.all(
            [key, ...others].map(async (one) => {
              const requests = await requestsOf(one);
              await alone.sleep(restAfter(one, one === key ? (runs.at(-1) ?? []) : []));
              const sent = await volleyAndRetry(alone, one, requests, true);
              await alone.sleep(restAfter(one, sent));
              await play(alone, overload(one, requests, one === key ? {} : { seconds }));
            }),
          ),
        );
      },
    };
  }
}
