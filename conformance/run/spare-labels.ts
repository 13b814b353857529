import { objectIn } from '../history/exchange.ts';
import type { Scene } from '../situations/asking/situation.ts';
import type { Deployment } from '../target/deployment.ts';
import { keyFor } from '../target/keys.ts';
import { holdersOf, sparesOf } from '../target/records.ts';

/** Spare labels that are carried already, as the contexts of conversations show: taking them off would lose them. */
export async function spareLabelProblems(deployment: Deployment, { send }: Pick<Scene, 'send'>): Promise<string[]> {
  const context = deployment.operation('getConversationContext');
  const found = context && keyFor(deployment, { scopes: context.scopes });
  if (context === undefined || found === undefined || 'missing' in found) return [];
  const problems: string[] = [];
  for (const { holder, field } of holdersOf(deployment.tenant)) {
    if (holder.kind !== 'conversation') continue;
    const { labels } = objectIn(await send({ operation: context.id, params: { id: holder.id }, key: found.key }));
    if (!Array.isArray(labels)) continue;
    for (const spare of sparesOf(deployment.tenant)) {
      if (labels.includes(spare.id) || (spare.name !== undefined && labels.includes(spare.name)))
        problems.push(
          `tenants[0].spareLabel: ${spare.name ?? spare.id} is carried by ${field} already: give a label that nothing carries; where a run was killed, \`conformance cleanup\` takes it off`,
        );
    }
  }
  return problems;
}
