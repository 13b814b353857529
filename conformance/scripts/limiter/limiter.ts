/**
 * The limiter: first every key, then the reserved one beside everything else: a volley after a long rest, a wait that a 429 asked for, a long
 * overload.
 */
import { readRetryAfter } from '../../../spec/limiter/throttled-reply.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { type Request, valid } from '../../contract/request.ts';
import type { Bench } from '../../experiments/bench.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { firstRounds } from '../../numbers.ts';
import { carries, type Deployment, type KeyOfTenant, keyNamed, keysWith } from '../../target/deployment.ts';
import { holderKey, labelWriteOf } from '../../target/holder.ts';
import { doubtsOf } from '../../verdict/limiter/buckets.ts';
import { oddId, seenOnce } from '../../verdict/limiter/replies.ts';
import { againId, firstThrottled, isThrottled, measurementOf, missingIn } from '../../verdict/limiter/uses.ts';
import { trafficOf } from '../../verdict/traffic.ts';
import type { Generate, Script } from '../script.ts';
import {
  isModest,
  lightReadsOf,
  littleOf,
  nameOf,
  overBurst,
  play,
  readsOf,
  reservedKey,
  rest,
  type Shot,
  startOf,
  usedKeys,
  volley,
} from './shots.ts';
import { throttledWrites } from './writes.ts';

/** Seconds. A longer Retry-After is not tried. */
const maxWait = 60;
/** Times as long as a bucket takes to fill: an idle key must not collect more than a burst, and what was throttled before may have taken tokens. */
const longRest = 5;
/** An overload this many times the rate, for so many seconds, shows a rate that is wrong by a tenth. */
const [times, seconds] = [1.25, 15];
/** Milliseconds after which it begins: a limiter may change with its age. */
const late = 27_000;

const rules: readonly RuleId[] = [
  'limiter/over-the-rate-is-429',
  'limiter/429-has-retry-after',
  'limiter/429-body-is-one-message',
  'limiter/waiting-retry-after-suffices',
  'limiter/steady-rate',
  'limiter/burst',
  'limiter/burst-reading',
  'limiter/clustering-gains-nothing',
];

/**
 * A volley of one operation; then some requests more, because an answer takes longer than a token, and one after the wait that a 429 asks for.
 */
async function volleyAndRetry(b: Bench, { rateLimit: limit }: KeyOfTenant, reads: readonly Request[]): Promise<void> {
  const request = reads.at(-1) as Request;
  const sent = await play(b, volley([request], overBurst(limit)));
  await b.sleep(20);
  sent.push(...(await play(b, volley([request], Math.ceil(limit.burst / 4)))));
  const last = sent.at(-1);
  const { seconds: asked } = readRetryAfter(last?.headers['retry-after']);
  if (last?.status !== 429 || asked === undefined || asked > maxWait) return;
  // Throttled requests may have taken tokens, too, and those that were sent with this one may have been decided after it.
  const tokens = (count: number) => (1000 * count) / limit.perSecond;
  const throttled = sent.filter(isThrottled).length + 1;
  await b.sleep(Math.max(asked * 1001 + tokens(limit.burst / 4 + 1), tokens(throttled)) + 20);
  await play(b, volley([request], 1));
}

/** Each operation for a while, so that a limit of its own shows. */
function overload({ rateLimit }: KeyOfTenant, requests: readonly Request[], length: number): Shot[] {
  const perSecond = times * rateLimit.perSecond;
  const [first, ...others] = requests as [Request, ...Request[]];
  const inTurn = [...others, first];
  return Array.from({ length: Math.round(length * perSecond) }, (_, n) => ({
    at: (1000 * n) / perSecond,
    request: inTurn[Math.floor((n / perSecond / seconds) * inTurn.length) % inTurn.length] as Request,
  }));
}

/** How a key is measured besides its volley. */
interface Measuring {
  /** Milliseconds of rest before it, at least. */
  readonly least?: number;
  /** Volleys more, each of a burst. */
  readonly volleys?: number;
  /** Seconds of the overload; none by default. */
  readonly length?: number;
  /** When the overload may begin. */
  readonly from?: number;
  readonly beside?: readonly Shot[];
}

/** After a rest a volley, and after another one an overload. */
async function measure(b: Bench, key: KeyOfTenant, requests: readonly Request[], how: Measuring): Promise<void> {
  const { least = 0, volleys = 0, length = 0, from = 0, beside = [] } = how;
  const { burst, perSecond } = key.rateLimit;
  await rest(b, key, least);
  await volleyAndRetry(b, key, requests);
  // All but the first find the bucket little more than half full, unless it fills faster while nothing is sent.
  for (let n = 0; n < volleys; n++) {
    await b.sleep((600 * burst) / perSecond);
    await play(b, volley(requests.slice(-1), burst));
  }
  if (length === 0) return;
  await rest(b, key, from - b.scene.now());
  await play(b, [...overload(key, requests, length), ...beside]);
}

/** A burst at once, then a little less than the rate, and only at the end more than any honest limiter admits: what a throttled request costs does not matter until then. */
function gentle({ rateLimit }: KeyOfTenant, requests: readonly Request[]): Shot[] {
  const perSecond = 0.95 * rateLimit.perSecond;
  const paced = Array.from({ length: Math.round(gentleLength * perSecond) }, (_, n) =>
    volley([requests[n % requests.length] as Request], 1, (1000 * (n + 1)) / perSecond),
  );
  const last = volley(requests, overBurst(rateLimit), 1000 * gentleLength);
  return [...volley(requests, rateLimit.burst), ...paced.flat(), ...last];
}

/** Scripts about the limiter. */
export const limiterScripts: Generate = function* (deployment) {
  const [key] = reservedKey(deployment);
  if (key === undefined) {
    const tries = ['limiter/own-bucket-per-key', 'limiter/429-comes-before-the-handler', ...rules] as const;
    yield { id: 'limiter', tries, missing: ['tenants[0].keys: a key with use: limits'] };
    return;
  }
  yield everyKeyAtOnce(deployment, key);
  yield* throttledWrites(deployment, key);
  yield {
    id: 'limiter/overload',
    title: `after a rest, key ${key.name} sends more than its burst, one request after the Retry-After of a 429, and then ${times} times its rate for ${seconds} s`,
    tries: rules,
    limits: 'parallel',
    async run(b) {
      const from = b.scene.now() + late;
      const { burst, perSecond } = key.rateLimit;
      const requests = [...(await lightReadsOf(b, key)), ...startOf(deployment, key)];
      // Another key at the same moments, far below its limit.
      const control = keysWith(deployment.tenant, []).find((one) => readsOf(deployment, one).length > 0);
      const few = control ? volley(await lightReadsOf(b, control), seconds / 2) : [];
      const beside = few.map((shot, n) => ({ ...shot, at: 2000 * n }));
      const least = longRest * 1000 * (burst / perSecond + 1);
      await measure(b, key, requests, { least, length: seconds, from, beside });
    },
  };
};

/** Milliseconds after which the reserved key sends, and then once more the keys of the other tenant. */
const [second, third] = [150, 400];

/** The widest key of each tenant and the narrowest that starts uploads send more than their burst, the others little. */
async function everyKey(b: Bench, reserved: KeyOfTenant): Promise<Shot[]> {
  const { deployment } = b;
  const reads = new Map<KeyOfTenant, Awaited<ReturnType<typeof lightReadsOf>>>();
  for (const key of usedKeys(deployment)) reads.set(key, await lightReadsOf(b, key));
  const keys = [...reads].flatMap(([key, own]) => (own.length > 0 ? [key] : []));
  const modest = keys.filter(isModest).sort((a, c) => c.scopes.length - a.scopes.length);
  const widest = [...Map.groupBy(modest, ({ tenant }) => tenant).values()].flatMap(([first]) => first ?? []);
  const starters = modest.filter((key) => startOf(deployment, key).length > 0).slice(-1);
  const shots = keys.flatMap((key) => {
    const [own = [], starts] = [reads.get(key), startOf(deployment, key)];
    const { burst } = key.rateLimit;
    const most = overBurst(key.rateLimit);
    if (![...widest, ...starters].includes(key)) {
      const later = key.tenant === deployment.tenant.name ? [] : volley(own, littleOf(key), third);
      return [...volley(own, littleOf(key)), ...later];
    }
    // A limit of their own shows if a key sends nothing else, and a second bucket if the first is empty.
    if (starts.length === 0 || !widest.includes(key)) return volley(starts.length === 0 ? own : starts, most);
    return [...volley(own, burst), ...volley(starts, most - burst)];
  });
  const [read] = await lightReadsOf(b, reserved);
  return [...shots, ...(read ? volley([read], overBurst(reserved.rateLimit), second) : [])];
}

const sentBy = (exchanges: readonly Exchange[], key: KeyOfTenant) => exchanges.filter((one) => one.key === nameOf(key));
const isLacking = (exchanges: readonly Exchange[], key: KeyOfTenant) =>
  missingIn(sentBy(exchanges, key), key.rateLimit) > 0;

const everyKeyAtOnce = (deployment: Deployment, reserved: KeyOfTenant): Script => ({
  id: 'limiter/keys',
  title: `some keys send more than their burst, key ${reserved.name} too, and at the same moments every other key a part of its own`,
  tries: ['limiter/own-bucket-per-key', 'limiter/over-the-rate-is-429', 'limiter/burst'],
  limits: 'first',
  async run(b) {
    const shots = await everyKey(b, reserved);
    const keys = [reserved, ...usedKeys(deployment)];
    const full = Math.max(...keys.map(({ rateLimit: { perSecond, burst } }) => burst / perSecond)) * 1000;
    await b.sleep(full + 500);
    const sent = await play(b, shots);
    // The least used first.
    const [suspect] = keys
      .filter((key) => !b.scene.planning && isLacking(sent, key))
      .sort((one, other) => sentBy(sent, one).length - sentBy(sent, other).length);
    if (suspect !== undefined) await inTurn(b, suspect, shots, full);
  },
});

/** The same shots again, and those of the suspect alone, in turn, until one volley shows that the others took nothing. */
async function inTurn(b: Bench, suspect: KeyOfTenant, shots: readonly Shot[], full: number): Promise<void> {
  const id = ++b.state.trials;
  const { perSecond, burst } = suspect.rateLimit;
  const question = { id, rule: 'limiter/own-bucket-per-key', sign: `key ${nameOf(suspect)} lacks tokens` } as const;
  const alone = shots.filter(({ request: { who } }) => who.key !== null && nameOf(who.key) === nameOf(suspect));
  let throttled = burst;
  for (let round = 1; round <= firstRounds; round++)
    for (const arm of ['control', 'script'] as const) {
      // Throttled requests may have taken tokens, too.
      await b.scene.sleep(full + (1000 * throttled) / perSecond + 300 + b.scene.random() * 200);
      const exchanges = await play(b, arm === 'script' ? shots : alone, { trial: { ...question, arm, round } });
      throttled = sentBy(exchanges, suspect).filter(isThrottled).length;
      if (isLacking(exchanges, suspect) !== (arm === 'script')) return;
    }
}

/** Keys in question that are measured again, and others that are measured beside each. */
const [maxKeys, controls] = [2, 2];
/** Seconds of the overload of the others: that long, an honest bucket is not empty. */
const besideLength = 8;
/** Seconds after which a rate that is a fifth too low has used up the most generous burst. */
const gentleLength = 12;

/**
 * At the end, alone: a key that was throttled too early is measured again, and other keys with the same requests at the same moments. If it is the
 * limiter, it shows with all of them; another client uses one key, and not at every time.
 */
export function* limiterAgain(history: History): Generator<Script> {
  const traffic = trafficOf(history);
  const { missed = [], tooStrict, tooLax } = measurementOf(traffic)?.judgement ?? {};
  for (const [n, { key: name, isReserved, runs }] of doubtsOf(traffic).slice(0, maxKeys).entries()) {
    // What the network hid is measured once more. Only a key that was throttled too early needs others beside it.
    const isHidden = isReserved && missed.length > 0 && (tooStrict ?? tooLax) === undefined;
    const isOfBurst = isHidden && !missed.some((what) => what.includes('rate'));
    yield {
      id: `${againId}/${n + 1}`,
      title: `key ${name} is measured again, alone, and other keys with the same requests at the same moments`,
      tries: ['limiter/steady-rate', 'limiter/burst', 'limiter/waiting-retry-after-suffices'],
      async run(b) {
        const { deployment } = b;
        const all = [...reservedKey(deployment), ...usedKeys(deployment).filter(isModest)];
        const key = all.find((one) => nameOf(one) === name);
        if (key === undefined) return;
        const isStart = (run: readonly Exchange[]) => firstThrottled(run)?.operation === 'startSiteFileUpload';
        const isOfStarts = !isReserved && runs.some(isStart) && startOf(deployment, key).length > 0;
        const requestsOf = async (one: KeyOfTenant) => (isOfStarts ? startOf(deployment, one) : lightReadsOf(b, one));
        const scopes = deployment.scopesOf(...(await requestsOf(key)).map(({ operation }) => operation));
        const others = all
          .filter((one) => one !== key && one.use === undefined && carries(one, scopes))
          .filter((one) => !isOfStarts || one.tenant === key.tenant)
          .sort((x, y) => x.scopes.length - y.scopes.length);
        await b.exclusive((alone) =>
          Promise.all(
            [key, ...others.slice(0, isHidden ? 0 : controls)].map(async (one) => {
              const whole = isOfBurst ? {} : { volleys: 4, length: one === key ? seconds : besideLength };
              const requests = await requestsOf(one);
              await measure(alone, one, requests, whole);
              if (!isReserved || one !== key || isHidden) return;
              await rest(alone, one);
              await play(alone, gentle(one, requests));
            }),
          ),
        );
      },
    };
  }
}

/** What came in place of a documented 429 at one time only: the same requests, and at the same moments the same by others below their limit. */
export function* oddAgain(history: History): Generator<Script> {
  for (const exchange of seenOnce(trafficOf(history)).slice(0, 1)) {
    const write = labelWriteOf(exchange.operation, exchange.params);
    yield {
      id: oddId,
      title: `key ${exchange.key} sends more than its burst of what was answered otherwise than by a 429 as documented`,
      tries: ['limiter/over-the-rate-is-429', 'limiter/429-has-retry-after', 'limiter/429-body-is-one-message'],
      ...(write && { locks: [holderKey(write.holder)], writes: 'labels' as const }),
      async run(b) {
        const request = b.state.requests.get(exchange);
        const key = request?.who.key;
        // A key that was made is revoked by now.
        if (!request || !key || keyNamed(b.deployment, exchange.key) === undefined) return;
        const others = usedKeys(b.deployment).filter((one) => isModest(one) && one.name !== key.name);
        const scopes = b.deployment.scopesOf(request.operation);
        const few = await Promise.all(
          others.map(async (one) => {
            const isAlike = one.tenant === key.tenant && carries(one, scopes);
            return volley(isAlike ? [{ ...request, who: valid(one) }] : await lightReadsOf(b, one), littleOf(one));
          }),
        );
        await b.exclusive(async (alone) => {
          await rest(alone, key);
          await play(alone, [...volley([request], overBurst(key.rateLimit)), ...few.flat()]);
        });
      },
    };
  }
}
