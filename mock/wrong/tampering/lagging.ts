import type { Around } from './defect.ts';
import { withProperties } from './json-value.ts';
import { type Asked, onReply } from './tamper.ts';

/** Contexts show the labels of some time ago. @param lagOf milliseconds, for the read of this number */
export const lagging =
  (lagOf: (read: number, asked: Asked) => number): Around =>
  (scene) => {
    const { tenants, clock } = scene.mock;
    const past = new Map<string, { readonly at: number; readonly labels: readonly string[] }[]>();
    const keep = (id: string) => {
      for (const tenant of tenants.values()) {
        const holder = tenant.conversations.get(id);
        const labels = holder && tenant.publicLabelsOf(holder).map(({ name }) => name);
        if (labels) past.set(id, [...(past.get(id) ?? []), { at: past.has(id) ? clock.now() : 0, labels }]);
      }
    };
    for (const { conversations } of tenants.values()) for (const id of conversations.keys()) keep(id);
    let reads = 0;
    return onReply((asked) => {
      const { id, params, reply, ok } = asked;
      if (id?.endsWith('ConversationLabel')) keep(params.id ?? '');
      if (id !== 'getConversationContext' || !ok) return undefined;
      const then = clock.now() - lagOf(reads++, asked);
      const labels = past.get(params.id ?? '')?.findLast(({ at }) => at <= then)?.labels;
      return labels && withProperties(reply, { labels });
    })(scene);
  };
