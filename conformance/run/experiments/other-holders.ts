import type { History } from '../../history/history.ts';
import { deploymentIn } from '../../laws/judging/asked.ts';
import type { Situation } from '../../scripts/script.ts';
import { labelScene } from '../../situations/labels/label-holder.ts';
import { holderKey, holderParams, labelOperations } from '../../target/holder.ts';
import { keysFor } from '../../target/keys.ts';
import { holdersOf, type KnownHolder, sparesOf, tenantOf, tenantsOf } from '../../target/records.ts';
import { otherLabelsOf } from './with-other-labels.ts';

/**
 * For target files with a single spare label, to find a write that also changes another record. Sites and links show their labels only in replies
 * to writes, and a write of the spare label would hide the change. So the spare label is written to one record after another, and the others show
 * their labels in the reply to another write: a label that they carry is applied again.
 */
export function otherHolders(history: History): Situation[] {
  const deployment = deploymentIn(history);
  const { tenant, stranger } = deployment;
  if (sparesOf(tenant).length !== 1) return [];
  const shown = tenantsOf(deployment)
    .flatMap(holdersOf)
    .flatMap((record) => {
      const { carried } = record.holder.kind === 'conversation' ? {} : otherLabelsOf(record, history);
      return carried === undefined ? [] : [{ record, carried }];
    });
  const written = holdersOf(tenant);
  if (shown.length === 0 || written.length < 2) return [];
  return [
    {
      id: 'labels/other-holders',
      title: 'a label is put on one record after the other and taken off, and the labels of the others are shown',
      feeds: ['labels/apply-adds', 'labels/remove-removes', 'labels/membership-is-a-set'],
      uses: [],
      locks: [...new Set([...written, ...shown.map(({ record }) => record)].map(({ holder }) => holderKey(holder)))],
      writes: 'labels',
      async run(scene) {
        const { deployment, send } = scene;
        const scenes = (await Promise.all(written.map((record) => labelScene(scene, record)))).filter(
          (one) => one !== null,
        );
        const show = (records: readonly KnownHolder[]) =>
          Promise.all(
            shown
              .filter(({ record }) =>
                records.some(({ slug, tenant: owner }) => record.slug === slug && record.tenant === owner),
              )
              .map(({ record, carried }) => {
                const { apply } = labelOperations[record.holder.kind];
                const [key] = keysFor(deployment, apply, tenantOf(deployment, record));
                const params = holderParams(record.holder, carried);
                return key && send({ operation: apply, params, carried: true, key });
              }),
          );
        for (const [order, others] of [
          [scenes, stranger ? holdersOf(stranger) : []],
          [scenes.toReversed(), []],
        ] as const)
          for (const act of ['apply', 'remove'] as const) {
            // Replies may show the labels before earlier writes for this long.
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
