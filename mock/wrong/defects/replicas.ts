import type { LabelHolder } from '../../store/records.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { holdersIn } from '../tampering/label-write.ts';
import { lagging } from '../tampering/lagging.ts';
import { instead, type Scene } from '../tampering/tamper.ts';

/** Two instances, which serve requests in turn, and each of which keeps the public labels of its own requests. */
const twoInstances = (scene: Scene) => {
  let others = new Map<LabelHolder, Iterable<string>>();
  return instead(() => {
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

/** Deployments of several instances and replicas. */
export const replicas: readonly Defect[] = breaking('labels/apply-adds', {
  'labels/two-instances-in-turn': twoInstances,
  'labels/contexts-ten-seconds-behind': lagging(() => 10_000),
});
