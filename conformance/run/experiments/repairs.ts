import { isDeepStrictEqual } from 'node:util';
import type { History } from '../../history/history.ts';
import { interference } from '../../laws/labels/interference.ts';
import { lives } from '../../laws/labels/registers/lives.ts';
import { isSpare } from '../../laws/labels/registers/register.ts';
import { lastingChanges, type RegisterBreach } from '../../laws/labels/registers/register-breaches.ts';
import { staleReplies } from '../../laws/labels/sets/stale-replies.ts';
import { labelWritesWithin, onlyChange } from '../../laws/labels/user-changes.ts';
import type { Situation } from '../../scripts/script.ts';
import { readsOf } from '../../situations/replies/reads.ts';
import { holderKey, holderParams, labelOperations } from '../../target/holder.ts';
import { keysWith } from '../../target/keys.ts';
import { tenantsOf } from '../../target/records.ts';

const repairId = 'labels/put-right';

/** How often repairs are tried, each time by another key: a wrong deployment may lose the writes of one. */
export const maxRepairs = 3;

type Change = Pick<RegisterBreach, 'tenant' | 'holder' | 'label' | 'shows'>;

/** Restores labels that a wrong deployment lost or left during the run. */
export function repairs(history: History): Situation[] {
  // If another client writes to these records, its changes must stay.
  if (interference(history) !== null) return [];
  const changes: readonly Change[] = [
    ...lastingChanges(history).filter((one) => isOurs(one, history)),
    ...(staleReplies(history).kind === 'all' ? appliedSpares(history).flatMap((one) => [one, one]) : []),
  ];
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

/** Spare labels that the run has put on records: any of several instances may still have them, whatever the last replies show. */
const appliedSpares = (history: History): Change[] =>
  [...lives(history).values()].flatMap(({ tenant, holder, writes }) => {
    const applied = new Set(writes.flatMap(({ act, label }) => (act === 'apply' ? [label] : [])));
    return [...applied]
      .map((label) => ({ tenant, holder, label, shows: true }))
      .filter((change) => isSpare(change.tenant, change.label, history));
  });

/**
 * Whether the change is surely this run's, and not another client's or a wrong first reply. Only a spare label is taken off, since no record
 * carried it before. A label is put on if it was seen at least twice, went when this run wrote labels, and was never seen again.
 */
function isOurs({ tenant, holder, label, shows }: Change, history: History): boolean {
  if (shows) return isSpare(tenant, label, history);
  const change = onlyChange(tenant, holder, label, history);
  return change !== null && change.before > 1 && labelWritesWithin(change, history).length > 0;
}
