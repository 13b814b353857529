import type { Part } from '../../../spec/limiter/measurement.ts';
import { succeeded } from '../../history/exchange.ts';
import type { Situation } from '../../scripts/script.ts';
import type { KeyOfTenant } from '../../target/keys.ts';
import { limiterRules } from './limiter-rules.ts';
import { play } from './play.ts';
import { type Fire, isShared, limitOf, lockOf, type Senders } from './senders.ts';

const titles: Readonly<Partial<Record<Part['name'], string>>> = {
  sustained: 'requests are sent at one and a half times the rate, some with another address or query',
  recovery: 'a throttled request is repeated after its Retry-After',
  paced: 'a rested key is used at its rate and no faster',
};

/** What a client may choose for each request, so that no limiter may have a bucket for each. The addresses are those for documentation. */
const choices = [
  (n: number) => ({ twist: 'unusual/forwarded', headers: { 'x-forwarded-for': `192.0.2.${n % 255}` } }),
  (n: number) => ({ twist: 'unusual/query', query: `?x=${n}` }),
] as const;

/** Every fourth request has an address of its own, and every fourth a query of its own, unless the deployment refuses such requests. */
function inOtherWays(fire: Fire): Fire {
  const unwelcome = new Set<number>();
  let turn = 0;
  return async (ask) => {
    const n = turn++;
    // The turn shifts, so that it is not always the same operation.
    const choice = (n + Math.floor(n / 4)) % 4;
    const more = ask || unwelcome.has(choice) ? undefined : choices[choice]?.(n);
    if (more === undefined) return fire(ask);
    const exchange = await fire(ask, more);
    if (!succeeded(exchange) && exchange.status !== 429) unwelcome.add(choice);
    return exchange;
  };
}

/** So many of one operation at once and a half times the rate empty a bucket that only this operation has, unless that is nearly as large as the key's. */
const inARow = 40;

/** One part of the measurement. All parts together are one run against the bucket of the key. */
export const measuredPart = ({ name, phases }: Part, key: KeyOfTenant, senders: Senders, late = ''): Situation => ({
  id: `limiter/${name}${late}`,
  title: titles[name] ?? name,
  feeds: limiterRules,
  uses: [],
  limits: 'parallel',
  locks: [lockOf(key)],
  async run(scene) {
    if (name !== 'recovery' && isShared(scene, key, senders)) return;
    const plain = await senders.senderFor(scene, key, name === 'sustained' ? { inARow } : {});
    const fire = name === 'sustained' ? inOtherWays(plain) : plain;
    for (const phase of phases) await play(phase, scene, fire, limitOf(key));
  },
});
