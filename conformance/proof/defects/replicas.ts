import { type Asked, instead, type Scene } from '../../../mock/proof/tampering/tamper.ts';
import type { LabelHolder } from '../../../mock/store/records.ts';
import { seededRandom } from '../../../spec/random.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { holdersIn } from '../tampering/label-write.ts';
import { lagging } from '../tampering/lagging.ts';

/** Two instances, each of which keeps the public labels of its own requests. @param picks says which one serves a request */
const twoInstances = (picks: () => (asked: Asked) => boolean) => (scene: Scene) => {
  const pick = picks();
  let [isSecond, others] = [false, new Map<LabelHolder, Iterable<string>>()];
  return instead((asked) => {
    if (pick(asked) === isSecond) return undefined;
    isSecond = !isSecond;
    const before = new Map<LabelHolder, Iterable<string>>();
    for (const { tenant, holder } of holdersIn(scene.mock)) {
      const isPrivate = (id: string) => tenant.records.labels.get(id)?.visibility === 'private';
      const labels = [...tenant.labelsOf(holder)];
      const next = [...(others.get(holder) ?? holder.seededLabels)];
      before.set(holder, labels);
      tenant.setLabels(holder, [...labels.filter(isPrivate), ...next.filter((id) => !isPrivate(id))]);
    }
    others = before;
    scene.reached();
    return undefined;
  })(scene);
};

const inTurn = () => {
  let turn = 0;
  return () => turn++ % 2 === 1;
};
const atRandom = () => {
  const random = seededRandom(7);
  return () => random() < 0.5;
};
/** Deployments of several instances and replicas. */
export const replicas: readonly Defect[] = breaking('labels/apply-adds', {
  'labels/two-instances-in-turn': twoInstances(inTurn),
  'labels/two-instances-at-random': twoInstances(atRandom),
  'labels/contexts-from-two-replicas': lagging((read) => (read % 2 === 0 ? 3_000 : 0)),
  'labels/contexts-ten-seconds-behind': lagging(() => 10_000),
});
