import { type OperationId, operations, type Scope } from '../spec/operations.ts';
import type { Check } from './check.ts';
import { type FactName, type Facts, factOf } from './facts.ts';
import type { Deployment } from './target/deployment.ts';
import { type KeyOfTenant, keyFor } from './target/keys.ts';

/** A check with everything it needs. */
export interface Prepared {
  readonly check: Check;
  readonly given: Partial<Facts>;
  readonly keys: Readonly<Record<string, KeyOfTenant>>;
  /** The key of the tenant under test that an operation is called with. */
  readonly keyOf: (id: OperationId) => KeyOfTenant | undefined;
  /** Names of what it changes: two checks that share one do not run at the same time. */
  readonly locks: readonly string[];
}

export interface Unprepared {
  /** Every field of the target file that would be needed. */
  readonly missing: readonly string[];
  /** The deployment is said not to have an operation of which the specification says nothing: nobody need judge it. */
  readonly optional: boolean;
}

/** Finds what a check needs in the target file; or names every field that is missing. */
export function prepare(check: Check, deployment: Deployment): Prepared | Unprepared {
  const missing: string[] = [];
  let optional = false;
  const given: Record<string, unknown> = {};
  for (const name of check.needs ?? []) {
    const found = factOf(deployment, name);
    if ('missing' in found) missing.push(found.missing);
    else given[name] = found.value;
  }

  const keyOf = keysByOperation(deployment);
  for (const id of check.uses ?? []) {
    if (deployment.operation(id) === undefined) {
      missing.push(`operations.${id} (null: this deployment has none)`);
      optional ||= !isDocumented(id);
    } else if (keyOf(id) === undefined)
      missing.push(`tenants[0].keys: a key with ${scopesOf(deployment, id).join(' and ')}`);
  }

  const keys: Record<string, KeyOfTenant> = {};
  for (const [name, need] of Object.entries(check.keys ?? {})) {
    const found = keyFor(deployment, need);
    if ('missing' in found) missing.push(found.missing);
    else keys[name] = found.key;
  }
  if (missing.length > 0) return { missing: [...new Set(missing)], optional };
  const locks = (check.locks ?? []).map((name: FactName) => JSON.stringify(given[name]));
  return { check, given: given as Partial<Facts>, keys, keyOf, locks };
}

/** Whether the specification says anything of this operation at all. */
function isDocumented(id: OperationId): boolean {
  const { method, path, scopes, body } = operations[id].provenance;
  return [method, path, scopes, body].includes('documented');
}

/** Keys for ordinary calls: never the one kept for limit checks, unless it is the only one. */
export function keysByOperation(deployment: Deployment): (id: OperationId) => KeyOfTenant | undefined {
  return (id) => {
    const scopes = scopesOf(deployment, id);
    const found = keyFor(deployment, { scopes });
    if ('key' in found) return found.key;
    const limits = keyFor(deployment, { scopes, use: 'limits' });
    return 'key' in limits ? limits.key : undefined;
  };
}

const scopesOf = (deployment: Deployment, id: OperationId): readonly Scope[] => deployment.operation(id)?.scopes ?? [];
