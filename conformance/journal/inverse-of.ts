import type { Ask } from '../client/ask.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { holderParams, labelOperations } from '../target/holder.ts';
import { carries, type KeyOfTenant, keysWith } from '../target/keys.ts';
import { tenantsOf } from '../target/records.ts';
import type { BorrowedLabel } from './write-journal.ts';

/**
 * The request that undoes a write, or what the target file lacks for it. A faulty deployment may refuse one key and serve another: the key
 * with the fewest scopes comes first, then the one with the most, then one of the other tenant, who may have written here, and at last those
 * that lack the scope: one of them may have put the label on.
 */
export function inverseOf(
  { tenant, holder, label, inverse }: BorrowedLabel,
  deployment: Deployment,
): { readonly asks: readonly [Ask, ...Ask[]] } | { readonly missing: string } {
  const id = labelOperations[holder.kind][inverse ?? 'remove'];
  const operation = deployment.operation(id);
  if (operation === undefined) return { missing: `the target file sets ${id} to null: undo it by hand` };
  const [all = [], other = []] = [[], operation.scopes].map((scopes, index) =>
    tenantsOf(deployment)
      .filter(({ name }) => (name === tenant) === (index === 0))
      .flatMap((one) => keysWith(one, scopes)),
  );
  const own = all.filter((key) => carries(key, operation.scopes));
  // Where only the other tenant could have written here, only that can undo it.
  const [key] = own.length > 0 ? own : other;
  if (key === undefined)
    return {
      missing: `the target file has no key of ${tenant} with ${operation.scopes.join(' and ')}: undo it by hand`,
    };
  const askWith = (one: KeyOfTenant): Ask => ({ operation: id, params: holderParams(holder, label), key: one });
  const lacking = all.filter((one) => !own.includes(one));
  const others = new Set([...own.slice(-1), ...other.slice(0, 1), ...lacking]);
  others.delete(key);
  return { asks: [askWith(key), ...[...others].map(askWith)] };
}

/** Sends the requests in turn until one is not refused. Resolves with its reply, else with that of the first. */
export async function firstServed(
  [ask, ...others]: readonly [Ask, ...Ask[]],
  send: (ask: Ask) => Promise<Exchange>,
): Promise<Exchange> {
  const first = await send(ask);
  let last = first;
  for (const other of others) if (last.status === 403 || last.status === 404) last = await send(other);
  return succeeded(last) ? last : first;
}
