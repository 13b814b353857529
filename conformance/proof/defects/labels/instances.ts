import { type Answered, type Asked, instead, onReply, type Scene } from '../../../../mock/proof/tampering/tamper.ts';
import type { LabelHolder } from '../../../../mock/store/records.ts';
import { seededRandom } from '../../../../spec/random.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { holdersIn } from '../../tampering/label-write.ts';

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

/** Answers contexts as they were some time ago: all, or every other one. */
const behind =
  (milliseconds: number, every: 1 | 2 = 1) =>
  (scene: Scene) => {
    const earlier = new Map<string, { readonly at: number; readonly reply: Answered['reply'] }[]>();
    let turn = 0;
    return onReply(({ id, ok, request, reply, mock }) => {
      if (id !== 'getConversationContext' || !ok) return undefined;
      const replies = earlier.get(request.url) ?? [];
      earlier.set(request.url, replies);
      replies.push({ at: mock.clock.now(), reply });
      const then = replies.findLast(({ at }) => at <= mock.clock.now() - milliseconds);
      return every === 1 ? (then ?? replies[0])?.reply : ++turn % 2 === 0 ? undefined : then?.reply;
    })(scene);
  };

/** Deployments of several instances and replicas. */
export const instances: readonly Defect[] = breaking('labels/apply-adds', {
  'labels/two-instances-in-turn': [
    'keeps labels in the memory of two instances, which serve requests in turn',
    twoInstances(() => {
      let turn = 0;
      return () => turn++ % 2 === 1;
    }),
  ],
  'labels/two-instances-at-random': [
    'keeps labels in the memory of two instances, either of which may serve a request',
    twoInstances(() => {
      const random = seededRandom(7);
      return () => random() < 0.5;
    }),
  ],
  'labels/two-instances-by-key': [
    'keeps labels in the memory of two instances, and serves each key by one of them',
    twoInstances(
      () =>
        ({ key }) =>
          (key?.name.length ?? 0) % 2 === 1,
    ),
  ],
  'labels/contexts-from-two-replicas': behind(3_000, 2),
  'labels/contexts-ten-seconds-behind': behind(10_000),
});
