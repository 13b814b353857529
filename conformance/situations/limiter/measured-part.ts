import type { Part } from '../../../spec/limiter/measurement.ts';
import type { KeyOfTenant } from '../../target/keys.ts';
import type { Situation } from '../asking/situation.ts';
import { limiterRules } from './limiter-rules.ts';
import { play } from './play.ts';
import { isShared, limitOf, lockOf, type Senders } from './senders.ts';

const titles: Readonly<Partial<Record<Part['name'], string>>> = {
  sustained: 'requests are sent at one and a half times the rate',
  recovery: 'a throttled request is repeated after its Retry-After',
  paced: 'a rested key is used at its rate and no faster',
};

/** One part of the measurement. All parts together are one run against the bucket of the key. */
export const measuredPart = ({ name, phases }: Part, key: KeyOfTenant, senders: Senders): Situation => ({
  id: `limiter/${name}`,
  title: titles[name] ?? name,
  feeds: limiterRules,
  uses: [],
  limits: 'parallel',
  locks: [lockOf(key)],
  async run(scene) {
    if (name !== 'recovery' && isShared(scene, key, senders)) return;
    const fire = await senders.senderFor(scene, key);
    for (const phase of phases) await play(phase, scene, fire, limitOf(key));
  },
});
