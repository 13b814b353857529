import { uuid } from '../../../spec/text/uuid.ts';
import type { History } from '../../history/history.ts';
import { deploymentIn } from '../../laws/judging/asked.ts';
import { catalogueOfTenant } from '../../laws/labels/sets/catalogue.ts';
import { labelSetsIn } from '../../laws/labels/sets/label-sets.ts';
import type { Situation } from '../../scripts/script.ts';
import { holderKey, holderParams, labelOperations } from '../../target/holder.ts';
import { keysFor } from '../../target/keys.ts';
import { holdersOf, type KnownHolder, privatesOf, sparesOf, tenantOf } from '../../target/records.ts';

const maxLabels = 2;
/** This many replies must show that a record lacks the label. The run removes the label again, so it must not have been there before. */
const minReplies = 3;

/** Each tenant applies labels that both lists contain. A label that only one tenant can apply belongs to that tenant. */
export function listedToBoth(history: History): Situation[] {
  const { tenant, stranger } = deploymentIn(history);
  if (stranger === undefined) return [];
  const named = new Set(
    [tenant, stranger].flatMap((one) => [...sparesOf(one), ...privatesOf(one)]).map(({ id }) => id.toLowerCase()),
  );
  const theirs = catalogueOfTenant(history, stranger.name).labels;
  const labels = [...catalogueOfTenant(history, tenant.name).labels.keys()].filter(
    (label) => uuid.test(label) && theirs.has(label) && !named.has(label),
  );
  // Both ends of the list, because a label that leaked into the list of another tenant is often the first or last.
  const chosen = new Set([...labels.slice(0, maxLabels / 2), ...labels.slice(-maxLabels / 2)]);
  return [...chosen].flatMap((label): Situation[] => {
    const places = [tenant, stranger].flatMap((one) => {
      const record = holdersOf(one).find((holder) => lacks(history, holder, label));
      return record === undefined ? [] : [{ record }];
    });
    if (places.length < 2) return [];
    return [
      {
        id: `other-tenant/listed-to-both/${label}`,
        title: 'a label that is listed to both tenants is put on a record of each by its own key',
        feeds: ['isolation/reads-stay-in-tenant'],
        uses: places.map(({ record }) => labelOperations[record.holder.kind].apply),
        locks: places.map(({ record }) => holderKey(record.holder)),
        writes: 'labels',
        async run({ send, deployment }) {
          for (const { record } of places) {
            const { apply } = labelOperations[record.holder.kind];
            // The deployment of the scene has the secrets of keys; that of the history has only placeholders.
            const [key] = keysFor(deployment, apply, tenantOf(deployment, record));
            if (key !== undefined) await send({ operation: apply, params: holderParams(record.holder, label), key });
          }
        },
      },
    ];
  });
}

/** Whether enough replies show that the holder does not carry the label. */
function lacks(history: History, { holder, tenant }: KnownHolder, label: string): boolean {
  const showings = labelSetsIn(history).showings.filter(
    (one) => one.tenant === tenant && holderKey(one.holder) === holderKey(holder),
  );
  return (
    showings.length >= minReplies && showings.every(({ labels, recognises }) => recognises(label) && !labels.has(label))
  );
}
