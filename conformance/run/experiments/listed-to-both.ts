import type { History } from '../../history/history.ts';
import { deploymentIn } from '../../laws/judging/asked.ts';
import { catalogueOfTenant, uuid } from '../../laws/labels/catalogue.ts';
import { labelSetsIn } from '../../laws/labels/label-sets.ts';
import type { Situation } from '../../situations/asking/situation.ts';
import { holderKey, holderParams, labelOperations } from '../../target/holder.ts';
import { keysWith } from '../../target/keys.ts';
import { holdersOf, type KnownHolder, privatesOf, sparesOf, tenantOf } from '../../target/records.ts';

const maxLabels = 2;
/** So many replies have to agree that a record does not carry the label: what it has is not ours to take off again. */
const enough = 3;

/** Labels that are listed to both tenants, put on by each: one that only one of them can put on is that one's. */
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
  // Half from either end: what was added to a list of one's own often stands there.
  const chosen = new Set([...labels.slice(0, maxLabels / 2), ...labels.slice(-maxLabels / 2)]);
  return [...chosen].flatMap((label): Situation[] => {
    const places = [tenant, stranger].flatMap((one) => {
      const known = holdersOf(one).find((holder) => lacks(history, holder, label));
      return known === undefined ? [] : [{ known }];
    });
    if (places.length < 2) return [];
    return [
      {
        id: `other-tenant/listed-to-both/${label}`,
        title: 'a label that is listed to both tenants is put on a record of each by its own key',
        feeds: ['isolation/reads-stay-in-tenant'],
        uses: places.map(({ known }) => labelOperations[known.holder.kind].apply),
        locks: places.map(({ known }) => holderKey(known.holder)),
        writes: 'labels',
        async run({ send, deployment }) {
          for (const { known } of places) {
            const { apply } = labelOperations[known.holder.kind];
            // The history knows no secrets: keys are those of the run.
            const [key] = keysWith(tenantOf(deployment, known), deployment.operation(apply)?.scopes ?? []);
            if (key !== undefined) await send({ operation: apply, params: holderParams(known.holder, label), key });
          }
        },
      },
    ];
  });
}

/** Whether replies show that the holder does not carry the label. */
function lacks(history: History, { holder, tenant }: KnownHolder, label: string): boolean {
  const showings = labelSetsIn(history).showings.filter(
    (one) => one.tenant === tenant && holderKey(one.holder) === holderKey(holder),
  );
  return (
    showings.length >= enough && showings.every(({ labels, recognises }) => recognises(label) && !labels.has(label))
  );
}
