/**
 * Every key at the same moments, before anything else is sent: some above their limits, the others far below, the reserved key last. What an
 * overloaded key gets is the limiter; what the others do not get was taken by a neighbour, if they get it when they are alone.
 */
import type { Bench } from '../../experiments/bench.ts';
import type { Exchange } from '../../history/exchange.ts';
import { firstRounds } from '../../numbers.ts';
import type { Deployment } from '../../target/deployment.ts';
import type { KeyOfTenant } from '../../target/keys.ts';
import { isThrottled, missingIn } from '../../verdict/limiter/runs.ts';
import type { Script } from '../script.ts';
import {
  isModest,
  lightReadsOf,
  littleOf,
  nameOf,
  overBurst,
  play,
  readsOf,
  type Shot,
  startOf,
  usedKeys,
  volley,
} from './shots.ts';

/** Milliseconds after which the reserved key sends, and then once more the keys of the other tenant. */
const [second, third] = [150, 400];

/** The widest key of each tenant and the narrowest that starts uploads send more than their burst, the others little. */
async function everyKey(b: Bench, reserved: KeyOfTenant) {
  const { deployment } = b;
  const keys = usedKeys(deployment).filter((key) => readsOf(deployment, key).length > 0);
  const modest = keys.filter(isModest).sort((a, c) => c.scopes.length - a.scopes.length);
  const widest = [...Map.groupBy(modest, ({ tenant }) => tenant).values()].flatMap(([first]) => first ?? []);
  const starters = modest.filter((key) => startOf(deployment, key).length > 0).slice(-1);
  const over = [...new Set([...widest, ...starters])];
  const shots: Shot[] = [];
  for (const key of keys) {
    const reads = await lightReadsOf(b, key);
    const starts = startOf(deployment, key);
    const { burst } = key.rateLimit;
    if (!over.includes(key)) {
      shots.push(...volley(reads, littleOf(key)));
      if (key.tenant !== deployment.tenant.name) shots.push(...volley(reads, littleOf(key), third));
    }
    // A limit of their own shows if a key sends nothing else, and a second bucket if the first is empty.
    else if (starts.length === 0 || !widest.includes(key))
      shots.push(...volley(starts.length === 0 ? reads : starts, Math.ceil(1.2 * burst)));
    else shots.push(...volley(reads, burst), ...volley(starts, overBurst(key.rateLimit) - burst - 2));
  }
  const reads = (await lightReadsOf(b, reserved)).slice(0, 1);
  return { over, shots: [...shots, ...volley(reads, overBurst(reserved.rateLimit), second)] };
}

const sentBy = (exchanges: readonly Exchange[], key: KeyOfTenant) => exchanges.filter((one) => one.key === nameOf(key));
const shotsOf = (shots: readonly Shot[], key: KeyOfTenant) =>
  shots.filter(({ request: { who } }) => who.key !== null && nameOf(who.key) === nameOf(key));
const isLacking = (exchanges: readonly Exchange[], key: KeyOfTenant) =>
  missingIn(sentBy(exchanges, key), key.rateLimit) > 0;

export const everyKeyAtOnce = (deployment: Deployment, reserved: KeyOfTenant): Script => ({
  id: 'limiter/keys',
  title: `some keys send more than their burst, key ${reserved.name} too, and at the same moments every other key a part of its own`,
  tries: ['limiter/own-bucket-per-key', 'limiter/over-the-rate-is-429', 'limiter/burst'],
  limits: 'first',
  async run(b) {
    const { over, shots } = await everyKey(b, reserved);
    const keys = [reserved, ...usedKeys(deployment)];
    const full = Math.max(...keys.map(({ rateLimit: { perSecond, burst } }) => burst / perSecond)) * 1000;
    await b.sleep(full + 500);
    const sent = await play(b, shots);
    if (b.scene.planning) return;
    // No 429 yet: more than any honest limiter admits.
    const more = over
      .filter((key) => !sentBy(sent, key).some(isThrottled))
      .flatMap((key) => {
        const own = shotsOf(shots, key).map(({ request }) => request);
        return volley(own, overBurst(key.rateLimit) + 3 - own.length);
      });
    await play(b, more);
    // The least used first.
    const [suspect] = keys
      .filter((key) => isLacking(sent, key))
      .sort((one, other) => sentBy(sent, one).length - sentBy(sent, other).length);
    if (suspect !== undefined) await inTurn(b, suspect, shots, full);
  },
});

/** The same shots again, and those of the suspect alone, in turn, until one volley shows that the others took nothing. */
async function inTurn(b: Bench, suspect: KeyOfTenant, shots: readonly Shot[], full: number): Promise<void> {
  const id = ++b.state.trials;
  const { perSecond, burst } = suspect.rateLimit;
  const question = { id, rule: 'limiter/own-bucket-per-key', sign: `key ${nameOf(suspect)} lacks tokens` } as const;
  let throttled = burst;
  for (let round = 1; round <= firstRounds; round++)
    for (const arm of ['control', 'script'] as const) {
      // Throttled requests may have taken tokens, too.
      await b.scene.sleep(full + (1000 * throttled) / perSecond + 300 + b.scene.random() * 200);
      const own = arm === 'script' ? shots : shotsOf(shots, suspect);
      const exchanges = await play(b, own, { trial: { ...question, arm, round } });
      throttled = sentBy(exchanges, suspect).filter(isThrottled).length;
      if (isLacking(exchanges, suspect) !== (arm === 'script')) return;
    }
}
