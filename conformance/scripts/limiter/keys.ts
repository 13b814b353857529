/**
 * Every key at the same moments, before anything else is sent: some above their limits, the others far below, the reserved key last. What an
 * overloaded key gets is the limiter; what the others do not get was taken by a neighbour, if they get it when they are alone.
 */
import type { Bench } from '../../experiments/bench.ts';
import type { Exchange } from '../../history/exchange.ts';
import { firstRounds } from '../../numbers.ts';
import type { Deployment } from '../../target/deployment.ts';
import type { KeyOfTenant } from '../../target/keys.ts';
import { isThrottled, missingIn } from '../../verdict/limiter/uses.ts';
import type { Script } from '../script.ts';
import {
  isModest,
  lightReadsOf,
  littleOf,
  nameOf,
  overBurst,
  play,
  type Shot,
  startOf,
  usedKeys,
  volley,
} from './shots.ts';

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

export const everyKeyAtOnce = (deployment: Deployment, reserved: KeyOfTenant): Script => ({
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
