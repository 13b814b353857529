import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';

/** Whether what was sent as a key authenticates, and if not, why. */
export type Caller = 'valid' | 'none' | 'unknown' | 'revoked' | 'bearer' | 'elsewhere' | 'other-case';

/** Whose record the path names, seen from the tenant of the key: its own, the other tenant's, nobody's, or no id at all. */
export type Owner = 'ours' | 'theirs' | 'nobody' | 'malformed';

/** The label in the path, seen from the tenant of the key. `carried` was put on inside the product, `foreign` is the other tenant's. */
export type LabelKind = 'spare' | 'carried' | 'private' | 'foreign' | 'unknown' | 'malformed';

/**
 * What is unusual about a request, and what follows. `lawful`: it means the same, so it must succeed. `open`: what it means is open, and anything
 * in front of the service may refuse it in its own words. `may`: besides a success, these statuses are right. `rule`: this rule demands a refusal,
 * with these statuses; `any`: with a 4xx in any words, or by closing the connection; `no success`: whatever comes is right, except a success.
 */
export interface Mutation {
  readonly id: string;
  readonly means:
    | 'lawful'
    | 'open'
    | { readonly may: readonly number[] }
    | { readonly rule: RuleId; readonly statuses: readonly number[] | 'any' | 'no success' };
}

/** What was asked, as the contract sees it. It is logged with each exchange, so that a history is judged again without a network. */
export interface Facts {
  /** The operation that is meant, also where the request goes to another path or has another method. */
  readonly operation: OperationId;
  readonly caller: Caller;
  /** Null where the operation names no record. */
  readonly owner: Owner | null;
  readonly label: LabelKind | null;
  readonly mutation: Mutation | null;
  /** It can be carried out once only, so it is not asked again as it was. */
  readonly once?: true;
  /** The rule that demands a success, where it is a narrower one than that of the operation. */
  readonly serves?: RuleId;
}
