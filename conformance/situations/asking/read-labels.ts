import type { Exchange } from '../../history/exchange.ts';
import { holderParams, labelOperations } from '../../target/holder.ts';
import { keyFor } from '../../target/keys.ts';
import { type KnownHolder, sparesOf } from '../../target/records.ts';
import type { Scene } from './situation.ts';

/**
 * Lets a reply show the labels of a holder of the tenant under test without writing `avoid`: a context for a conversation; elsewhere, where nothing
 * can be read, the reply to applying another spare label, which is taken off when the situation ends.
 * @returns null where nothing can show them
 */
export async function readLabels(
  { send, deployment }: Scene,
  { holder }: KnownHolder,
  avoid?: string,
): Promise<Exchange | null> {
  const context = deployment.operation('getConversationContext');
  const reader = context && keyFor(deployment, { scopes: context.scopes });
  if (holder.kind === 'conversation' && reader !== undefined && 'key' in reader)
    return send({ operation: 'getConversationContext', params: { id: holder.id }, key: reader.key });
  const other = sparesOf(deployment.tenant).find(({ id }) => id !== avoid);
  const { apply } = labelOperations[holder.kind];
  if (other === undefined || deployment.operation(apply) === undefined) return null;
  return send({ operation: apply, params: holderParams(holder, other.id) });
}
