import type { Ask } from '../situations/asking/situation.ts';
import type { Deployment } from '../target/deployment.ts';
import { holderParams, labelOperations } from '../target/holder.ts';
import { keysWith } from '../target/keys.ts';
import type { BorrowedLabel } from './write-journal.ts';

/** The request that undoes a write, or what the target file lacks for such a request. */
export function inverseOf(
  { tenant, holder, label, inverse }: BorrowedLabel,
  deployment: Deployment,
): { readonly ask: Ask } | { readonly missing: string } {
  const id = labelOperations[holder.kind][inverse ?? 'remove'];
  const operation = deployment.operation(id);
  if (operation === undefined) return { missing: `the target file sets ${id} to null` };
  const owner = [deployment.tenant, deployment.stranger].find((one) => one?.name === tenant);
  const [key] = owner === undefined ? [] : keysWith(owner, operation.scopes);
  if (key === undefined)
    return { missing: `the target file has no key of ${tenant} with ${operation.scopes.join(' and ')}` };
  return { ask: { operation: id, params: holderParams(holder, label), key } };
}
