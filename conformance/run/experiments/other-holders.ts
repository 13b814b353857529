import type { History } from '../../history/history.ts';
import { deploymentIn } from '../../laws/judging/asked.ts';
import type { Situation } from '../../situations/asking/situation.ts';
import { labelScene } from '../../situations/labels/label-holder.ts';
import { holderKey, holderParams, labelOperations } from '../../target/holder.ts';
import { keysWith } from '../../target/keys.ts';
import { holdersOf, type KnownHolder, sparesOf, tenantOf } from '../../target/records.ts';
import { companionsOf } from './in-company.ts';

/**
 * Where there is one spare label only, every write of it to a site or a link hides what a write to another record has done to it there. So it is
 * written on one record after the other, and the sets of those that come later are shown by a label that they carry and that is put on again.
 */
export function otherHolders(history: History): Situation[] {
  const { tenant, stranger } = deploymentIn(history);
  if (sparesOf(tenant).length !== 1) return [];
  const shown = [tenant, ...(stranger ? [stranger] : [])].flatMap(holdersOf).flatMap((known) => {
    const { carried } = known.holder.kind === 'conversation' ? {} : companionsOf(known, history);
    return carried === undefined ? [] : [{ known, carried }];
  });
  const written = holdersOf(tenant);
  if (shown.length === 0 || written.length < 2) return [];
  return [
    {
      id: 'labels/other-holders',
      title: 'a label is put on one record after the other and taken off, and the labels of the others are shown',
      feeds: ['labels/apply-adds', 'labels/remove-removes', 'labels/membership-is-a-set'],
      uses: [],
      locks: [...new Set([...written, ...shown.map(({ known }) => known)].map(({ holder }) => holderKey(holder)))],
      writes: 'labels',
      async run(scene) {
        const { deployment, send } = scene;
        const scenes = (await Promise.all(written.map((known) => labelScene(scene, known)))).filter(
          (one) => one !== null,
        );
        const show = (those: readonly KnownHolder[]) =>
          Promise.all(
            shown
              .filter(({ known }) =>
                those.some(({ slug, tenant: owner }) => known.slug === slug && known.tenant === owner),
              )
              .map(({ known, carried }) => {
                const { apply } = labelOperations[known.holder.kind];
                const [key] = keysWith(tenantOf(deployment, known), deployment.operation(apply)?.scopes ?? []);
                const params = holderParams(known.holder, carried);
                return key && send({ operation: apply, params, carried: true, key });
              }),
          );
        for (const [order, others] of [
          [scenes, stranger ? holdersOf(stranger) : []],
          [scenes.toReversed(), []],
        ] as const)
          for (const act of ['apply', 'remove'] as const) {
            // What was written before may show for so long.
            await scene.sleep(deployment.settleMilliseconds);
            for (const [i, { write, spare, writers }] of order.entries()) {
              await write(act, spare.id, writers[0]);
              await show([...order.slice(i + 1).map(({ holder }) => holder), ...others]);
            }
          }
      },
    },
  ];
}
