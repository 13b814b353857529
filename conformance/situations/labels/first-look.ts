import type { TargetTenant } from '../../../spec/files/target.ts';
import type { Ask } from '../../client/ask.ts';
import type { Scene } from '../../experiments/scene.ts';
import { type Exchange, jsonOf, objectIn, succeeded } from '../../history/exchange.ts';
import type { Situation } from '../../scripts/script.ts';
import type { Deployment } from '../../target/deployment.ts';
import { type Holder, holderParams, type LabelAct, labelOperations } from '../../target/holder.ts';
import { keysFor } from '../../target/keys.ts';
import { holdersOf, sparesOf, tenantsOf } from '../../target/records.ts';

/** A label can be put on again if it was seen twice before it got lost. */
const looks = 2;

/**
 * Shows the labels of all records before anything else is written, so that the run can restore what a wrong deployment loses. Sites and
 * links show them only in replies to writes: the removal of a spare label, which they do not carry.
 */
export const firstLook: Situation = {
  id: 'labels/first-look',
  title: 'before anything else is written, replies show twice which labels the records carry',
  feeds: [],
  uses: [],
  writes: 'labels',
  async run(scene) {
    const { deployment, send } = scene;
    const all = tenantsOf(deployment).flatMap((tenant) => holdersOf(tenant).map(({ holder }) => ({ tenant, holder })));
    const isRead = new Set<Holder>();
    let losesLabels = false;
    for (const { tenant, holder } of all) {
      const ask = holder.kind === 'conversation' ? readOf(deployment, tenant, holder) : undefined;
      if (ask === undefined) continue;
      isRead.add(holder);
      for (let look = 0; look < looks; look++) {
        const seen = await send(ask);
        // One conversation, which can be restored, shows what the removal of an absent label does.
        if (look === looks - 1 && isRead.size === 1)
          losesLabels = await removalLosesLabels(scene, tenant, holder, seen);
      }
    }
    await Promise.all(
      all
        .filter(({ holder }) => !isRead.has(holder))
        .map(async ({ tenant, holder }) => {
          const shown = losesLabels ? [] : await times(scene, writeOf(deployment, tenant, holder, 'remove'));
          if (losesLabels || shown.some((reply) => succeeded(reply) && jsonOf(reply) === undefined))
            await times(scene, writeOf(deployment, tenant, holder, 'apply'));
        }),
    );
  },
};

function readOf(deployment: Deployment, tenant: TargetTenant, holder: Holder): Ask | undefined {
  if (deployment.operation('getConversationContext') === undefined) return undefined;
  const [key] = keysFor(deployment, 'getConversationContext', tenant);
  return key && { operation: 'getConversationContext', params: holderParams(holder), key };
}

/** The last spare label, which the fewest other situations write. */
function writeOf(deployment: Deployment, tenant: TargetTenant, holder: Holder, act: LabelAct): Ask | undefined {
  const { [act]: operation, remove } = labelOperations[holder.kind];
  const label = sparesOf(tenant).at(-1)?.id;
  if (label === undefined || !deployment.operation(operation) || !deployment.operation(remove)) return undefined;
  const [key] = keysFor(deployment, operation, tenant);
  return key && { operation, params: holderParams(holder, label), key };
}

async function times({ send }: Scene, ask: Ask | undefined): Promise<readonly Exchange[]> {
  const replies: Exchange[] = [];
  for (let look = 0; ask !== undefined && look < looks; look++) replies.push(await send(ask));
  return replies;
}

/** Whether the reply to the removal of an absent label shows fewer labels than the read before. */
async function removalLosesLabels(
  { deployment, send }: Scene,
  tenant: TargetTenant,
  holder: Holder,
  read: Exchange,
): Promise<boolean> {
  const ask = writeOf(deployment, tenant, holder, 'remove');
  const [before, after] = [objectIn(read).labels, ask && objectIn(await send(ask)).labels];
  return Array.isArray(before) && Array.isArray(after) && after.length < before.length;
}
