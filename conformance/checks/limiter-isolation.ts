import { admissionOf } from '../../spec/limiter/admission.ts';
import { check } from '../check.ts';
import { type Shot, samplesOf, shooterOf } from '../limiter-shots.ts';
import { Inconclusive, Unexpected } from '../outcome.ts';
import { refusedTooEarly } from './limiter-blame.ts';

const spent = (shots: readonly Shot[]) => shots.some(({ sample }) => admissionOf(sample.status) === 'throttled');

/** Two keys, both ways: one is exhausted and the other is not; the other is used and the one is still full. */
export const limiterIsolation = check({
  id: 'limiter/own-bucket',
  rule: 'limiter/own-bucket-per-key',
  title: 'exhausting one key leaves another key of the tenant untouched, and the other way round',
  after: 'limits',
  keys: { limits: { use: 'limits' }, other: {} },
  async run(context) {
    const { keys, sleep, planning } = context;
    const one = await shooterOf(context, keys.limits);
    const other = await shooterOf(context, keys.other);
    const bothRest = () => Promise.all([one.rest(), other.rest()]);
    await bothRest();
    // Few enough for the other key's own bucket, many enough that one drained by somebody else would refuse some.
    const few = Math.max(1, Math.floor(other.limit.burst * 0.35));
    const most = Math.ceil(1.3 * (one.limit.burst + one.limit.perSecond + 1));

    const exhausting = [...one.volley(most)];
    const beside = [...other.volley(few)];
    await sleep(200);
    exhausting.push(...one.volley(most));
    beside.push(...other.volley(few));
    const drained = await Promise.all(exhausting);
    const untouched = await Promise.all(beside);
    if (!planning && !spent(drained)) throw new Inconclusive(`key ${keys.limits.name} could not be exhausted`);

    const alone = async (shooter: typeof one, count: number) => {
      await bothRest();
      return samplesOf(await Promise.all(shooter.volley(count)));
    };
    if (refusedTooEarly(samplesOf(untouched), other.limit)) {
      if (refusedTooEarly(await alone(other, 2 * few), other.limit))
        throw new Inconclusive(`key ${keys.other.name} is throttled by itself below its declared limit`);
      throw new Unexpected(
        'a key of its own bucket is admitted while another key is exhausted',
        `key ${keys.other.name} was throttled together with ${keys.limits.name}, and is not by itself`,
      );
    }

    await bothRest();
    const used = other.volley(2 * few);
    const full = samplesOf(await Promise.all(one.volley(Math.floor(one.limit.burst))));
    await Promise.all(used);
    // With what came before, so that a request that was late by seconds is not mistaken for one of another key.
    if (refusedTooEarly([...samplesOf(drained), ...full], one.limit)) {
      if (refusedTooEarly(await alone(one, Math.floor(one.limit.burst)), one.limit))
        throw new Inconclusive(`key ${keys.limits.name} is throttled by itself below its declared limit`);
      throw new Unexpected(
        'a key is full however much another key is used',
        `key ${keys.limits.name} lacked what ${keys.other.name} had used, and does not by itself`,
      );
    }
  },
});
