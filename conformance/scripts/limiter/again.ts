/**
 * At the end, alone: a key that was throttled too early is measured again, and other keys with the same requests at the same moments. If it is the
 * limiter, it shows with all of them; another client uses one key, and not at every time.
 */
import type { History } from '../../history/history.ts';
import { holderKey, labelWriteOf } from '../../target/holder.ts';
import { carries, type KeyOfTenant, keyNamed } from '../../target/keys.ts';
import { doubtsOf } from '../../verdict/limiter/buckets.ts';
import { oddId, oddStatuses } from '../../verdict/limiter/replies.ts';
import { againId, firstThrottled } from '../../verdict/limiter/uses.ts';
import { trafficOf } from '../../verdict/traffic.ts';
import type { Script } from '../script.ts';
import { overload, volleyAndRetry } from './limiter.ts';
import {
  isModest,
  lightReadsOf,
  littleOf,
  nameOf,
  overBurst,
  play,
  reservedKey,
  restAfter,
  startOf,
  usedKeys,
  volley,
} from './shots.ts';

/** Keys in question that are measured again, and others that are measured beside each. */
const [maxKeys, controls] = [2, 2];
/** Seconds of the overload of the others: that long, an honest bucket is not empty. */
const seconds = 8;

export function* limiterAgain(history: History): Generator<Script> {
  for (const [n, { key: name, isReserved, runs }] of doubtsOf(trafficOf(history)).slice(0, maxKeys).entries()) {
    const isOfStarts = !isReserved && runs.some((run) => firstThrottled(run)?.operation === 'startSiteFileUpload');
    yield {
      id: `${againId}/${n + 1}`,
      title: `key ${name} is measured again, alone, and other keys with the same requests at the same moments`,
      tries: ['limiter/steady-rate', 'limiter/burst', 'limiter/waiting-retry-after-suffices'],
      async run(b) {
        const { deployment } = b;
        const all = [...reservedKey(deployment), ...usedKeys(deployment).filter(isModest)];
        const key = all.find((one) => nameOf(one) === name);
        if (key === undefined) return;
        const requestsOf = async (one: KeyOfTenant) => (isOfStarts ? startOf(deployment, one) : lightReadsOf(b, one));
        const scopes = deployment.scopesOf(...(await requestsOf(key)).map(({ operation }) => operation));
        const others = all
          .filter((one) => one !== key && one.use === undefined && carries(one, scopes))
          .filter((one) => !isOfStarts || one.tenant === key.tenant)
          .sort((x, y) => x.scopes.length - y.scopes.length);
        await b.exclusive((alone) =>
          Promise.all(
            [key, ...others.slice(0, controls)].map(async (one) => {
              const requests = await requestsOf(one);
              await alone.sleep(restAfter(one, one === key ? (runs.at(-1) ?? []) : []));
              await alone.sleep(restAfter(one, await volleyAndRetry(alone, one, requests)));
              await play(alone, overload(one, requests, one === key ? {} : { seconds }));
            }),
          ),
        );
      },
    };
  }
}

/** What came in place of a 429 at one time only: the same requests, and at the same moments others below their limit. */
export function* oddAgain(history: History): Generator<Script> {
  const once = [...oddStatuses(trafficOf(history))].filter(({ isProved }) => !isProved);
  for (const { exchange, more } of once.slice(0, 1)) {
    const write = labelWriteOf(exchange.operation, exchange.params);
    yield {
      id: oddId,
      title: `key ${exchange.key} sends more than its burst of what was answered otherwise than by 429`,
      tries: ['limiter/over-the-rate-is-429'],
      ...(write && { locks: [holderKey(write.holder)], writes: 'labels' as const }),
      async run(b) {
        const request = b.state.requests.get(exchange);
        const key = request?.who.key;
        // A key that was made is revoked by now.
        if (!request || !key || keyNamed(b.deployment, exchange.key) === undefined) return;
        const others = usedKeys(b.deployment).filter((one) => isModest(one) && one.name !== key.name);
        const few = await Promise.all(others.map(async (one) => volley(await lightReadsOf(b, one), littleOf(one))));
        await b.exclusive(async (alone) => {
          await alone.sleep(restAfter(key, [exchange, ...more]));
          await play(alone, [...volley([request], overBurst(key.rateLimit)), ...few.flat()]);
        });
      },
    };
  }
}
