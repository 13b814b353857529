/**
 * Every key at the same moments, before anything else is sent: some above their limits, the others far below, the reserved key last. What an
 * overloaded key gets is the limiter; what the others do not get was taken by a neighbour, if they get it when they are alone.
 */
import type { Bench } from '../../experiments/bench.ts';
import type { Exchange } from '../../history/exchange.ts';
import { firstRounds } from '../../numbers.ts';
import type { Deployment } from '../../target/deployment.ts';
import { carries, type KeyOfTenant } from '../../target/keys.ts';
import { missingIn } from '../../verdict/limiter/runs.ts';
import type { Script } from '../script.ts';
import {
  isModest,
  lightReadsOf,
  limitOf,
  littleOf,
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

const isSame = (one: KeyOfTenant, other: KeyOfTenant) => one.tenant === other.tenant && one.name === other.name;
interface Plan {
  readonly over: readonly KeyOfTenant[];
  readonly shots: readonly Shot[];
}

/** The widest key of each tenant and the narrowest that starts uploads send more than their burst, the others little. */
async function everyKey(b: Bench, reserved: KeyOfTenant): Promise<Plan> {
  const { deployment } = b;
  const keys = usedKeys(deployment).filter((key) => readsOf(deployment, key).length > 0);
  const start = startOf(deployment);
  const wide = keys.filter(isModest).sort((a, c) => c.scopes.length - a.scopes.length);
  const ofTenants = [...Map.groupBy(wide, ({ tenant }) => tenant).values()].flatMap(([first]) => first ?? []);
  const mayStart = (key: KeyOfTenant) =>
    start !== null && key.tenant === deployment.tenant.name && carries(key, deployment.scopesOf(start.operation));
  const starters = wide.filter(mayStart).slice(-1);
  const over = [...new Set([...ofTenants, ...starters])];
  const shots: Shot[] = [];
  for (const key of keys) {
    const reads = await lightReadsOf(b, key);
    const { burst } = limitOf(key);
    const isOver = over.includes(key);
    if (!isOver) shots.push(...volley(key, reads, littleOf(key)));
    else if (start === null || !mayStart(key)) shots.push(...volley(key, reads, Math.ceil(1.2 * burst)));
    // A limit of their own shows if a key sends nothing else, and a second bucket if the first is empty.
    else if (starters.includes(key) && !ofTenants.includes(key))
      shots.push(...volley(key, [start], Math.ceil(1.2 * burst)));
    else shots.push(...volley(key, reads, burst), ...volley(key, [start], overBurst(limitOf(key)) - burst - 2));
    if (!isOver && key.tenant !== deployment.tenant.name) shots.push(...volley(key, reads, littleOf(key), third));
  }
  const reads = await lightReadsOf(b, reserved);
  return { over, shots: [...shots, ...volley(reserved, reads.slice(0, 1), overBurst(limitOf(reserved)), second)] };
}

/** Those keys of a volley that missed tokens, the least used first. */
function lacking(exchanges: readonly Exchange[], keys: readonly KeyOfTenant[]): KeyOfTenant[] {
  const own = (key: KeyOfTenant) => exchanges.filter((one) => one.key === `${key.tenant}/${key.name}`);
  return keys.filter((key) => missingIn(own(key), limitOf(key)) > 0).sort((a, b) => own(a).length - own(b).length);
}

export const everyKeyAtOnce = (deployment: Deployment, reserved: KeyOfTenant): Script => ({
  id: 'limiter/keys',
  title: `some keys send more than their burst, key ${reserved.name} too, and at the same moments every other key a part of its own`,
  tries: ['limiter/own-bucket-per-key', 'limiter/over-the-rate-is-429', 'limiter/burst'],
  uses: [],
  limits: 'first',
  async run(b) {
    const { over, shots } = await everyKey(b, reserved);
    const keys = [reserved, ...usedKeys(deployment)];
    const full = Math.max(...keys.map(limitOf).map(({ perSecond, burst }) => burst / perSecond)) * 1000;
    await b.sleep(full + 500);
    const sent = await play(b, shots);
    if (b.scene.planning) return;
    // No 429 yet: more than any honest limiter admits.
    const free = over.filter(
      (key) => !sent.some((one) => one.key === `${key.tenant}/${key.name}` && one.status === 429),
    );
    const more = free.flatMap((key) => {
      const own = shots.filter(({ who }) => isSame(who, key)).map(({ request }) => request);
      return volley(key, own, overBurst(limitOf(key)) + 3 - own.length);
    });
    await play(b, more);
    const [suspect] = lacking(sent, keys);
    if (suspect !== undefined) await inTurn(b, suspect, shots, full);
  },
});

/** The same shots again, and those of the suspect alone, in turn, until one volley shows that the others took nothing. */
async function inTurn(b: Bench, suspect: KeyOfTenant, shots: readonly Shot[], full: number): Promise<void> {
  const id = ++b.state.trials;
  const isThrottled = ({ key, status }: Exchange) => key === `${suspect.tenant}/${suspect.name}` && status === 429;
  let throttled = suspect.rateLimit.burst;
  for (let round = 1; round <= firstRounds; round++)
    for (const arm of ['control', 'script'] as const) {
      const own = arm === 'script' ? shots : shots.filter(({ who }) => isSame(who, suspect));
      // Throttled requests may have taken tokens, too.
      const debt = (1000 * throttled) / suspect.rateLimit.perSecond;
      await b.scene.sleep(full + debt + 300 + b.scene.random() * 200);
      const exchanges = await play(b, own, {
        trial: {
          id,
          arm,
          round,
          rule: 'limiter/own-bucket-per-key',
          sign: `key ${suspect.tenant}/${suspect.name} lacks tokens`,
        },
      });
      throttled = exchanges.filter(isThrottled).length;
      if (lacking(exchanges, [suspect]).length > 0 !== (arm === 'script')) return;
    }
}
