import { admissionOf } from '../../spec/limiter/admission.ts';
import { type Check, check } from '../check.ts';
import { expectControl } from '../expect.ts';
import { shooterOf } from '../limiter-shots.ts';
import { membershipOf } from '../membership.ts';
import { Inconclusive, Unexpected } from '../outcome.ts';
import { succeeded } from '../reply.ts';
import { labelScene } from './label-scene.ts';
import { labelPlaces } from './legal-calls.ts';

/** A site may be labelled with one scope, so that the key kept for limits is likely to have it. */
const onSite = labelPlaces.filter(({ slug }) => slug === 'site');

/** Beyond this many the write is never among the throttled ones. */
const attempts = 8;

/** A throttled request changes nothing. Provable with the spare label: a write is sent while the key is exhausted. */
export const limiterWrite: readonly Check[] = onSite.map((place) =>
  check({
    id: 'limiter/throttled-write',
    rule: 'limiter/429-comes-before-the-handler',
    title: 'a write that is answered 429 was not carried out',
    after: 'limits',
    needs: [place.fact, 'spareLabel'],
    uses: ['applySiteLabel', 'removeSiteLabel', 'listLabels'],
    locks: [place.fact],
    writes: 'labels',
    keys: { limits: { use: 'limits', scopes: ['site:write'] } },
    async run(context) {
      const { given, keys, borrow, planning } = context;
      const scene = await labelScene(context, place);
      const holder = place.holder(given);
      const { apply, params } = membershipOf(holder, given.spareLabel.id);
      await borrow(holder, given.spareLabel.id);
      // The reader needs a reply with labels in it, and shows at once that it can tell.
      expectControl(await scene.apply(), 'applying the label with another key');
      const shown = await scene.stored();
      if (!planning && shown.times === 0) throw new Inconclusive('the control failed: an applied label was not seen');
      expectControl(await scene.remove(), 'taking the label off again');

      const shooter = await shooterOf(context, keys.limits);
      const { burst, perSecond } = shooter.limit;
      for (let attempt = 0; attempt < attempts; attempt++) {
        await Promise.all(shooter.volley(Math.ceil(1.3 * (burst + perSecond + 1))));
        const around = shooter.volley(Math.ceil(burst));
        const write = await shooter.fire(apply, { params });
        await Promise.all(around);
        if (planning) return;
        if (admissionOf(write.sample.status) === 'throttled') {
          const after = await scene.stored();
          if (after.times > 0)
            throw new Unexpected('a write that was answered 429 changes nothing', 'the label is there');
          return;
        }
        // Admitted, or nobody knows: off with it, and once more.
        const undone = await scene.remove();
        if (!succeeded(undone)) throw new Inconclusive(`the label could not be taken off: ${undone.status}`);
      }
      throw new Inconclusive(`in ${attempts} attempts the write was never among the throttled requests`);
    },
  }),
);
