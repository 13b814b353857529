import type { Scene } from '../../experiments/scene.ts';
import { objectIn } from '../../history/exchange.ts';
import type { Deployment } from '../../target/deployment.ts';
import { keyFor } from '../../target/keys.ts';
import { holdersOf } from '../../target/records.ts';

/** Spare labels that conversations carry already. The run would remove such a label, and so lose it. */
export async function spareLabelProblems(deployment: Deployment, { send }: Pick<Scene, 'send'>): Promise<string[]> {
  const context = deployment.operation('getConversationContext');
  const found = context && keyFor(deployment, { scopes: context.scopes });
  if (context === undefined || found === undefined || 'missing' in found) return [];
  const { spareLabel, spareLabels = [] } = deployment.tenant;
  const spares = [
    ...(spareLabel ? [{ ...spareLabel, at: 'spareLabel' }] : []),
    ...spareLabels.map((one, i) => ({ ...one, at: `spareLabels[${i}]` })),
  ];
  const problems: string[] = [];
  for (const { holder, field } of holdersOf(deployment.tenant)) {
    if (holder.kind !== 'conversation') continue;
    const { labels } = objectIn(await send({ operation: context.id, params: { id: holder.id }, key: found.key }));
    if (!Array.isArray(labels)) continue;
    for (const spare of spares) {
      if (labels.includes(spare.id) || (spare.name !== undefined && labels.includes(spare.name)))
        problems.push(
          `tenants[0].${spare.at}: ${spare.name ?? spare.id} is on ${field} already: give a label that no record carries; if that is another label of the same name, leave out its name; if an earlier run was killed, run \`partnerkit conformance cleanup\``,
        );
    }
  }
  return problems;
}
