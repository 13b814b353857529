/**
 * A request as the contract sees it: who asks for which operation on which record with which label, and what is odd about it. Scripts send nothing
 * else, so that the contract can say of everything that is sent what may be answered.
 */
import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import type { Ask } from '../client/ask.ts';
import type { Credential } from '../history/exchange.ts';
import type { Caller, Facts, LabelKind, Mutation, Owner } from '../history/facts.ts';
import type { KeyOfTenant } from '../target/deployment.ts';

/** Who asks, and how the key is sent. */
export interface Who {
  readonly caller: Caller;
  readonly key: KeyOfTenant | null;
  readonly credential: Credential;
  /** Headers in place of, or beside, a key. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The record that a path names; `nowhere` where it names none. */
export interface Place {
  readonly owner: Owner | null;
  readonly params: Readonly<Record<string, string>>;
}

export const nowhere: Place = { owner: null, params: {} };

/** A mutation, and how it changes the request. */
export interface Change extends Mutation {
  readonly change: Partial<Ask>;
}

type Demanded = readonly number[] | 'any' | 'no success';

/** Something odd after which a refusal is as right as a success. */
export const open = (id: string, change: Change['change'] = {}): Change => ({ id, change, means: 'open' });
/** Other words for the same, which must succeed as well. */
export const lawful = (id: string, change: Change['change']): Change => ({ id, change, means: 'lawful' });
/** Something after which these refusals are right, and a success as well. */
export const may = (id: string, statuses: readonly number[], change: Change['change'] = {}): Change => ({
  id,
  change,
  means: { may: statuses },
});
/** Something that a rule demands to be refused. */
export const must = (id: string, rule: RuleId, statuses: Demanded, change: Change['change'] = {}): Change => ({
  id,
  change,
  means: { rule, statuses },
});

/** The mutation that asks for a path below that of an operation, which no operation has. */
export const belowId = 'an unknown path';
/** The mutation that asks with a method that no operation has there. */
export const otherMethodId = 'another method';

export interface Request {
  readonly operation: OperationId;
  readonly who: Who;
  readonly place: Place;
  readonly label?: { readonly kind: LabelKind; readonly id: string };
  readonly change?: Change;
  readonly body?: unknown;
  /** The rule that demands a success, where it is a narrower one than that of the operation. */
  readonly successRule?: RuleId;
  /** It can be carried out once only. */
  readonly once?: true;
}

export const valid = (key: KeyOfTenant): Who => ({ key, credential: 'key', caller: key.revoked ? 'revoked' : 'valid' });

export const factsOf = ({ operation, who, place, label, change, successRule, once }: Request): Facts => ({
  operation,
  caller: who.caller,
  owner: place.owner,
  label: label?.kind ?? null,
  mutation: change === undefined ? null : { id: change.id, means: change.means },
  ...(successRule && { successRule }),
  ...(once && { once }),
});

/** The request as the client sends it. */
export function askOf(request: Request): Ask {
  const { operation, who, place, label, change, body } = request;
  return {
    operation,
    params: label === undefined ? place.params : { ...place.params, labelId: label.id },
    ...(body !== undefined && { body }),
    ...(who.key !== null && { key: who.key }),
    credential: who.credential,
    ...change?.change,
    headers: { ...who.headers, ...change?.change.headers },
    facts: factsOf(request),
  };
}
