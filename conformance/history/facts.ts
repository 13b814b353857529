import { z } from 'zod';
import { operationIds } from '../../spec/operations.ts';
import { rules } from '../../spec/rules.ts';

export const ruleSchema = z.literal(rules.map(({ id }) => id));
const statuses = z.array(z.number()).readonly();

/** Whether what was sent as a key authenticates, and if not, why. */
export type Caller = z.output<typeof caller>;
const caller = z.enum(['valid', 'none', 'unknown', 'revoked', 'bearer', 'elsewhere', 'other-case']);

/** Whose record the path names, seen from the tenant of the key: its own, the other tenant's, nobody's, or no id at all. */
export type Owner = z.output<typeof owner>;
const owner = z.enum(['ours', 'theirs', 'nobody', 'malformed']);

/** The label in the path, seen from the tenant of the key. `foreign` is the other tenant's. */
export type LabelKind = z.output<typeof labelKind>;
const labelKind = z.enum(['spare', 'private', 'foreign', 'unknown', 'malformed']);

/**
 * What is unusual about a request, and what follows. `lawful`: it means the same, so it must succeed. `open`: what it means is open, and anything
 * in front of the service may refuse it in its own words. `may`: besides a success, these statuses are right. `rule`: this rule demands a refusal,
 * with these statuses; `any`: with a 4xx in any words, or by closing the connection; `no success`: whatever comes is right, except a success.
 */
export type Mutation = z.output<typeof mutation>;
const mutation = z
  .object({
    id: z.string(),
    means: z.union([
      z.enum(['lawful', 'open']),
      z.object({ may: statuses }).readonly(),
      z.object({ rule: ruleSchema, statuses: z.union([statuses, z.enum(['any', 'no success'])]) }).readonly(),
    ]),
  })
  .readonly();

/** What was asked, as the contract sees it. It is logged with each exchange, so that a history is judged again without a network. */
export type Facts = z.output<typeof factsSchema>;
export const factsSchema = z
  .object({
    /** The operation that is meant, also where the request goes to another path or has another method. */
    operation: z.literal(operationIds),
    caller,
    /** Null where the operation names no record. */
    owner: owner.nullable(),
    label: labelKind.nullable(),
    mutation: mutation.nullable(),
    /** It can be carried out once only. */
    once: z.literal(true).optional(),
    /** The rule that demands a success, where it is a narrower one than that of the operation. */
    successRule: ruleSchema.optional(),
  })
  .readonly();
