import type { Ask } from '../client/ask.ts';
import { type Exchange, refused, succeeded } from '../history/exchange.ts';
import { carries, type Deployment, keysWith } from '../target/deployment.ts';
import { holderParams, labelOperations } from '../target/holder.ts';
import { tenantsOf } from '../target/records.ts';
import type { BorrowedLabel } from './write-journal.ts';

/**
 * Sends the request that undoes a write.
 * @param mayBeThere the write may have been carried out. Where it was refused, undoing it may be refused for the same reason
 * @returns null where it is undone, else why not, and the status of the reply; null where none came, or where nothing can be sent
 */
export async function undoLabel(
  entry: BorrowedLabel,
  deployment: Deployment,
  send: (ask: Ask) => Promise<Exchange>,
  mayBeThere: boolean,
) {
  const { holder, label } = entry;
  const operation = deployment.operation(labelOperations[holder.kind][entry.inverse ?? 'remove']);
  const [key, ...others] = keysToUndo(entry, deployment);
  if (operation === undefined || key === undefined)
    return mayBeThere
      ? { why: `by the target file no key of ${entry.tenant} may undo it: undo it by hand`, status: null }
      : null;
  const params = holderParams(holder, label);
  const sendWith = (one: typeof key) => send({ operation: operation.id, params, key: one });
  try {
    const first = await sendWith(key);
    let last = first;
    for (const other of mayBeThere ? others : [])
      if (last.status === 403 || last.status === 404) last = await sendWith(other);
    if (succeeded(last) || (!mayBeThere && refused(first))) return null;
    const { method, status, failure } = first;
    return { why: `${method} ${operation.id}: ${status ?? failure ?? 'no reply'}`, status };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error), status: null };
  }
}

/**
 * Keys that may undo a write. A faulty deployment may refuse one key and serve another: the key with the fewest scopes comes first, then the one with
 * the most, then one of the other tenant, who may have written here, and at last those that lack the scope: one of them may have put the label on.
 */
function keysToUndo({ tenant, holder, inverse }: BorrowedLabel, deployment: Deployment) {
  const scopes = deployment.scopesOf(labelOperations[holder.kind][inverse ?? 'remove']);
  const all = tenantsOf(deployment).flatMap((one) => (one.name === tenant ? keysWith(one, []) : []));
  const other = tenantsOf(deployment).flatMap((one) => (one.name === tenant ? [] : keysWith(one, scopes)));
  const own = all.filter((key) => carries(key, scopes));
  // Where only the other tenant could have written here, only that can undo it.
  const [first] = own.length > 0 ? own : other;
  const lacking = all.filter((key) => !own.includes(key));
  const keys = first === undefined ? [] : [first, ...own.slice(-1), ...other.slice(0, 1), ...lacking];
  return [...new Set(keys)];
}
