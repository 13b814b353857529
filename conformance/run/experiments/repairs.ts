import { isDeepStrictEqual } from 'node:util';
import type { History } from '../../history/history.ts';
import { deploymentIn } from '../../laws/judging/asked.ts';
import { interference } from '../../laws/labels/interference.ts';
import { lastingChanges, lifeName, lives, type RegisterBreach } from '../../laws/labels/registers.ts';
import type { Situation } from '../../situations/asking/situation.ts';
import { readsOf } from '../../situations/replies/reads.ts';
import { holderKey, holderParams, labelOperations, labelWriteOf } from '../../target/holder.ts';
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
 * Whether the change is surely this run's: the first replies may have been wrong rather than the later ones. A label is taken off a record
 * that may have carried it before only if it appeared when this run applied it somewhere, and put on only if it went when this run wrote
 * labels; each was seen at least twice before, and never again as before.
 */
function isOurs({ tenant, holder, label, shows }: RegisterBreach, history: History): boolean {
  const isSpare = tenantsOf(deploymentIn(history)).some(
    (one) => one.name === tenant && sparesOf(one).some(({ id }) => id.toLowerCase() === label),
  );
  if (shows && isSpare) return true;
  const { showings = [] } = lives(history).get(lifeName(tenant, holder)) ?? {};
  const told = showings.filter(({ labels, recognises }) => labels.has(label) || recognises(label));
  const changed = told.findIndex(({ labels }) => labels.has(label) === shows);
  const [last, first] = [told[changed - 1], told[changed]];
  if (changed < 2 || !last || !first || !told.slice(changed).every(({ labels }) => labels.has(label) === shows))
    return false;
  return history.exchanges.some(({ operation, params, sentAt, doneAt }) => {
    const write = labelWriteOf(operation, params);
    if (write === null || doneAt < last.exchange.sentAt || sentAt > first.exchange.doneAt) return false;
    return !shows || (write.act === 'apply' && write.label.toLowerCase() === label);
  });
}
