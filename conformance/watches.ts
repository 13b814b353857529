import { admissionOf } from '../spec/limiter/admission.ts';
import { type Check, check } from './check.ts';
import { labelHolders } from './checks/label-holders.ts';
import { labelScene } from './checks/label-scene.ts';
import { holderWords, writing } from './checks/labels-membership.ts';
import { shooterOf } from './limiter-shots.ts';
import { Unexpected } from './outcome.ts';

/** Between two looks, in ms: never in step with somebody else who looks. */
const between = (random: () => number) => 300 + 1_200 * random();
const looks = 6;

/** Our own label on a record, while we leave it alone: it stays as it is unless somebody else is at it. */
const ofLabels = labelHolders.map((place) =>
  check({
    ...writing(place),
    id: `watch/labels/${place.slug}`,
    rule: 'labels/membership-is-a-set',
    title: `nobody else puts the spare label on ${holderWords(place)} or takes it off`,
    async run(context) {
      const scene = await labelScene(context, place);
      const { times } = await scene.stored();
      for (let i = 0; i < looks; i++) {
        await context.sleep(between(context.random));
        const now = await scene.stored();
        if (now.times !== times) throw new Unexpected('nobody else changes labels', 'the spare label came or went');
      }
    },
  }),
);

/** The key that is kept for limits, used so little that only a bucket which others empty refuses anything. */
const ofKey = check({
  id: 'watch/key',
  rule: 'limiter/own-bucket-per-key',
  title: 'nobody else uses the key that is kept for limits',
  after: 'limits',
  keys: { limits: { use: 'limits' } },
  async run(context) {
    const shooter = await shooterOf(context, context.keys.limits);
    await shooter.rest();
    for (let i = 0; i < 2 * looks; i++) {
      const { sample } = await shooter.fire();
      if (admissionOf(sample.status) === 'throttled')
        throw new Unexpected('a key that only we use, and hardly, is not throttled', 'it was');
      await context.sleep(((1 + 2 * context.random()) * 10_000) / shooter.limit.perSecond);
    }
  },
});

/** What no report shows: whether somebody else is at what a check has just found fault with. */
export const watches: readonly Check[] = [...ofLabels, ofKey];
