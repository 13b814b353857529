import type { TargetTenant } from '../../../spec/files/target.ts';
import type { Ask } from '../../client/ask.ts';
import type { Scene } from '../../experiments/scene.ts';
import type { History } from '../../history/history.ts';
import { deploymentIn } from '../../laws/judging/asked.ts';
import { registerBreaches } from '../../laws/labels/registers/register-breaches.ts';
import type { Situation } from '../../scripts/script.ts';
import { refusalsAgain } from '../../situations/access/refusals-again.ts';
import { createBarrier } from '../../situations/asking/barrier.ts';
import { labelScene } from '../../situations/labels/label-holder.ts';
import { readsOf } from '../../situations/replies/reads.ts';
import type { Deployment } from '../../target/deployment.ts';
import { holderKey, holderParams, labelOperations } from '../../target/holder.ts';
import { keysFor, keysWith } from '../../target/keys.ts';
import { scopeRules } from '../../target/named-scopes.ts';
import { holdersOf, type KnownHolder, sparesOf, tenantsOf } from '../../target/records.ts';
import { listedToBoth } from './listed-to-both.ts';
import { otherClient } from './other-client.ts';
import { otherHolders } from './other-holders.ts';
import { sitesInContexts } from './sites-in-contexts.ts';
import { throttledOperation } from './throttled-operation.ts';
import { otherLabelsOf, withOtherLabels } from './with-other-labels.ts';

/**
 * Situations that depend on the history so far. They repeat writes with pauses in between on holders whose labels were wrong, to see
 * whether another client writes to these records, and read everything once more.
 */
export function experiments(history: History): Situation[] {
  const deployment = deploymentIn(history);
  const suspects = suspectsIn(history);
  return [
    ...withOtherLabels(history),
    ...otherHolders(history),
    ...listedToBoth(history),
    ...sitesInContexts(history),
    ...throttledOperation(history),
    ...(suspects.length > 0 && !isSurelyOurs(history) ? [otherClient(suspects)] : []),
    afterIdle(deployment),
    atRest(deployment, history),
  ].filter(({ uses }) => uses.every((id) => deployment.operation(id)));
}

/** Holders of the tenant under test whose labels were wrong. */
export function suspectsIn(history: History): KnownHolder[] {
  const wrong = new Set(registerBreaches(history).map(({ holder }) => holderKey(holder)));
  const suspects = holdersOf(deploymentIn(history).tenant).filter(({ holder }) => wrong.has(holderKey(holder)));
  // Conversations come first, because their labels can be read without a write.
  return suspects.sort((a, b) => Number(b.holder.kind === 'conversation') - Number(a.holder.kind === 'conversation'));
}

/** Throttled writes are not followed by their very effects so often because another client writes the same. */
const minEffects = 10;

/** Whether writes of this run that must have no effect, many of them throttled, explain every wrong label: so no pauses are needed to rule out another client. */
function isSurelyOurs(history: History): boolean {
  const breaches = registerBreaches(history);
  const throttled = breaches.filter(({ culprit }) => culprit?.status === 429);
  return throttled.length >= minEffects && breaches.every(({ culprit }) => culprit !== null);
}

/** Milliseconds without a request, in which caches with a lifetime of seconds expire. */
const idle = 2_200;

/** Requests after a pause. Only at the end of a run no other situation sends during the pause. */
export const afterIdle = (known: Deployment): Situation => ({
  id: 'labels/after-idle',
  title:
    'after a pause without requests, labels are applied and removed by two keys, conversations read, and revoked keys tried',
  feeds: ['labels/apply-adds', 'labels/apply-is-idempotent', 'labels/remove-removes', 'labels/remove-is-idempotent'],
  uses: ['listLabels'],
  locks: locksOf(known),
  writes: 'labels',
  async run(scene) {
    const { deployment, send, sleep } = scene;
    const readers = keysFor(deployment, 'getConversationContext');
    const conversations = holdersOf(deployment.tenant).filter(({ holder }) => holder.kind === 'conversation');
    const scenes = (await Promise.all(holdersOf(deployment.tenant).map((one) => labelScene(scene, one)))).filter(
      (one) => one !== null,
    );
    // Every second holder gets the label after the pause, and the others lose it.
    const act = (i: number) => (i % 2 === 0 ? 'apply' : 'remove');
    await Promise.all(
      scenes.map(({ write, writers, spare }, i) => (act(i) === 'remove' ? write('apply', spare.id, writers[0]) : null)),
    );
    await sleep(idle);
    // The second turn, in which the writes change nothing, is of other keys: they have been silent, too.
    for (const turn of [0, 1]) {
      await Promise.all([
        ...scenes.map(({ write, writers, spare }, i) => write(act(i), spare.id, writers[turn % writers.length])),
        ...deployment.tenant.keys
          .filter(({ revoked, use }) => revoked && use === undefined)
          .map((key) => send({ operation: 'listLabels', key: { ...key, tenant: deployment.tenant.name } })),
        ...conversations.map(({ holder }, i) => {
          const key = readers[i + turn];
          return key && send({ operation: 'getConversationContext', params: holderParams(holder), key });
        }),
      ]);
      await Promise.all(scenes.map(({ read, writers }) => read(writers[0])));
    }
  },
});

const locksOf = (known: Deployment) =>
  tenantsOf(known).flatMap((one) => holdersOf(one).map(({ holder }) => holderKey(holder)));

/** Requests at the same time, three of four of which must be refused. */
const asksAtOnce = 48;

/** Sends requests that must be refused together with lawful reads, many at the same time: a check may be skipped under load. */
async function underLoad({ send, sleep, deployment, newId }: Scene): Promise<void> {
  const good = tenantsOf(deployment).flatMap((one) => readsOf(deployment, one));
  const asks = refusalsAgain(deployment, newId).flatMap((ask, i): Ask[] => {
    const read = i % 3 === 2 ? good[Math.floor(i / 3) % good.length] : undefined;
    return read === undefined ? [ask] : [ask, read];
  });
  for (let i = 0; i < asks.length; i += asksAtOnce) {
    const group = asks.slice(i, i + asksAtOnce);
    const barrier = createBarrier(group.length, sleep);
    await Promise.all(group.map((ask) => send({ ...ask, barrier })));
  }
}

/**
 * Requests that must be refused are sent once more at the end of the run, to find a check that is forgotten after a while or under load. Then
 * everything is read once more. Labels that are not the run's own and that records carry are applied again, which changes nothing and shows all
 * labels. Where no such label is known, holders that cannot be read show them in the reply to the removal of an absent label.
 */
export const atRest = (known: Deployment, history: History): Situation => ({
  id: 'labels/at-rest',
  title:
    'when everything else is done, refused requests are sent once more, everything is read, and the labels of all records are shown',
  feeds: [
    'labels/apply-adds',
    'labels/remove-removes',
    'context/get-answers-context',
    'auth/no-key-is-403',
    'auth/unknown-key-is-403',
    'scopes/missing-scope-is-403',
    ...new Set(Object.values(scopeRules)),
    'isolation/reads-stay-in-tenant',
    'isolation/writes-stay-in-tenant',
  ],
  uses: [],
  locks: locksOf(known),
  writes: 'labels',
  // The deployment of the scene has the secrets of keys; that of the history has only placeholders.
  async run(scene) {
    const { send, sleep, deployment, newId, planning } = scene;
    await underLoad(scene);
    await sleep(deployment.settleMilliseconds);
    const showAll = async (one: TargetTenant, isFirst: boolean) => {
      for (const record of holdersOf(one)) {
        const { holder } = record;
        const { apply, remove } = labelOperations[holder.kind];
        // A plan does not know which labels records carry.
        const carried = planning ? newId() : otherLabelsOf(record, history).carried;
        const isApplied = isFirst && carried !== undefined && one === deployment.tenant;
        // The last spare label, so that the reply shows whether a refused write has put on the first. Conversations are read below.
        const absent = holder.kind === 'conversation' ? undefined : sparesOf(one).at(-1)?.id;
        const [operation, label] = isApplied ? [apply, carried] : [remove, absent];
        const deployed = deployment.operation(operation);
        const [key] = keysWith(one, deployed?.scopes ?? []);
        if (deployed !== undefined && label !== undefined && key !== undefined)
          await send({ operation, params: holderParams(holder, label), key, ...(isApplied && { carried: true }) });
      }
    };
    const readAll = async (one: TargetTenant) => {
      await showAll(one, true);
      // Once more: a write may have had a late effect, or one on a record that was shown before it. Not by a second apply, which would undo it.
      await showAll(one, false);
      for (const ask of readsOf(deployment, one)) await send(ask);
    };
    await Promise.all(tenantsOf(deployment).map(readAll));
  },
});
