import { isDeepStrictEqual } from 'node:util';
import type { History } from '../../history/history.ts';
import { deploymentIn } from '../../laws/judging/asked.ts';
import { interference, labelWritesWithin, onlyChange } from '../../laws/labels/interference.ts';
import { lastingChanges, type RegisterBreach } from '../../laws/labels/registers/register-breaches.ts';
import type { Situation } from '../../situations/asking/situation.ts';
import { readsOf } from '../../situations/replies/reads.ts';
import { holderKey, holderParams, labelOperations } from '../../target/holder.ts';
import { keysWith } from '../../target/keys.ts';
import { sparesOf, tenantsOf } from '../../target/records.ts';

const repairId = 'labels/put-right';

/** How often repairs are tried, each time by another key: a wrong deployment may lose the writes of one. */
export const maxRepairs = 3;

/** Restores labels that a wrong deployment lost or left during the run. */
export function repairs(history: History): Situation[] {
  // If another client writes to these records, its changes must stay.
  const changes = interference(history) === null ? lastingChanges(history).filter((one) => isOurs(one, history)) : [];
  if (changes.length === 0) return [];
  return [
    {
      id: repairId,
      title: 'labels that this run has lost are put on again, and what it has left is taken off',
      feeds: ['labels/apply-adds', 'labels/remove-removes'],
      uses: [],
      writes: 'labels',
      async run({ send, sleep, deployment }) {
        const owned = (owner: string) => tenantsOf(deployment).filter(({ name }) => name === owner);
        for (const { holder, label, shows, tenant } of changes) {
          const operation = labelOperations[holder.kind][shows ? 'remove' : 'apply'];
          const deployed = deployment.operation(operation);
          const keys = owned(tenant).flatMap((one) => keysWith(one, deployed?.scopes ?? []));
          const params = holderParams(holder, label);
          const tried = history.exchanges.filter(
            (one) => one.situation === repairId && one.operation === operation && isDeepStrictEqual(one.params, params),
          );
          const key = keys.at(-1 - (tried.length % Math.max(1, keys.length)));
          if (deployed !== undefined && key !== undefined) await send({ operation, params, key, stays: true });
        }
        await sleep(deployment.settleMilliseconds);
        const changed = new Set(changes.map(({ holder }) => holderKey(holder)));
        for (const owner of new Set(changes.map(({ tenant }) => tenant)))
          for (const ask of owned(owner).flatMap((one) => readsOf(deployment, one)))
            if (changed.has(`conversation ${ask.params?.id}`)) await send(ask);
      },
    },
  ];
}

/**
 * Whether the change is surely this run's, and not another client's or a wrong first reply. Only a spare label is taken off, since no record
 * carried it before. A label is put on if it was seen at least twice, went when this run wrote labels, and was never seen again.
 */
function isOurs({ tenant, holder, label, shows }: RegisterBreach, history: History): boolean {
  if (shows)
    return tenantsOf(deploymentIn(history)).some(
      (one) => one.name === tenant && sparesOf(one).some(({ id }) => id.toLowerCase() === label),
    );
  const change = onlyChange(tenant, holder, label, history);
  return change !== null && change.before > 1 && labelWritesWithin(change, history).length > 0;
}
