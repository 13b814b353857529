import { type Answered, type Asked, instead, onReply, type Scene } from '../../../../mock/proof/tampering/tamper.ts';
import type { LabelHolder } from '../../../../mock/store/records.ts';
import { seededRandom } from '../../../../spec/random.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { fromCache } from '../../tampering/from-cache.ts';

/** Two instances, each of which keeps the public labels of its own requests. @param picks says which one serves a request */
const twoInstances = (picks: () => (asked: Asked) => boolean) => (scene: Scene) => {
  const pick = picks();
  let [isSecond, others] = [false, new Map<LabelHolder, Iterable<string>>()];
  return instead((asked) => {
    if (pick(asked) === isSecond) return undefined;
    isSecond = !isSecond;
    const before = new Map<LabelHolder, Iterable<string>>();
    for (const tenant of scene.mock.tenants.values()) {
      const isPrivate = (id: string) => tenant.records.labels.get(id)?.visibility === 'private';
      for (const holder of [...tenant.conversations.values(), ...tenant.sites.values(), ...tenant.links.values()]) {
        const labels = [...tenant.labelsOf(holder)];
        const next = [...(others.get(holder) ?? holder.seededLabels)];
        before.set(holder, labels);
        tenant.setLabels(holder, [...labels.filter(isPrivate), ...next.filter((id) => !isPrivate(id))]);
      }
    }
    others = before;
    scene.reached();
    return undefined;
  })(scene);
};

const isContext = { id: 'getConversationContext', ok: true } as const;

/** Answers contexts as they were some time ago. */
const behind = (milliseconds: number) => (scene: Scene) => {
  const earlier = new Map<string, { readonly at: number; readonly reply: Answered['reply'] }[]>();
  return onReply(({ id, ok, request, reply, mock }) => {
    if (id !== isContext.id || !ok) return undefined;
    const replies = earlier.get(request.url) ?? [];
    earlier.set(request.url, replies);
    replies.push({ at: mock.clock.now(), reply });
    return (replies.findLast(({ at }) => at <= mock.clock.now() - milliseconds) ?? replies[0])?.reply;
  })(scene);
};

/** Deployments of several instances, and with caches in front of them. */
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
  'labels/two-instances-by-connection': [
    'keeps labels in the memory of two instances, and serves each connection by one of them',
    twoInstances(() => {
      // A request takes the first connection on which none was sent in the last moments.
      const usedAt: number[] = [];
      return ({ mock }) => {
        const now = mock.clock.now();
        const free = usedAt.findIndex((at) => at < now - 100);
        const connection = free < 0 ? usedAt.length : free;
        usedAt[connection] = now;
        return connection % 2 === 1;
      };
    }),
  ],
  'labels/contexts-ten-seconds-behind': ['answers contexts as they were ten seconds ago', behind(10_000)],
}).concat({
  id: 'labels/context-cached-for-thirty-seconds',
  breaks: 'labels/apply-adds',
  does: 'keeps the context of a conversation for thirty seconds, whatever is written, where replies may be a second late',
  around: fromCache({ keeps: isContext, answers: isContext, milliseconds: 30_000 }),
  target: (target) => ({ ...target, settleMilliseconds: 1_000 }),
});
