import type { RuleId } from '../../../spec/rules.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import type { ProfilePatch } from '../../profile-patch.ts';
import type { Holder } from '../../target/holder.ts';

/** One place where a law does not hold. */
export interface Breach {
  /** The exchange that shows it. */
  readonly exchange: Exchange;
  /** What the contract says of this exchange, and what came, in a few words each. */
  readonly expected: string;
  readonly observed: string;
  /** Exchanges without which it cannot be understood: the write before, the read of the other key. */
  readonly with?: readonly Exchange[];
  /** The label of a record that is not as it should be. */
  readonly register?: RegisterName;
}

/** One label of one record. */
export interface RegisterName {
  readonly tenant: string;
  readonly holder: Holder;
  /** In lower case. */
  readonly label: string;
  /** The last reply that showed it as it should be. */
  readonly since: Exchange | null;
}

/** What a law says of a history. */
export interface Finding {
  /** To how many replies, holders, uploads or buckets it applied. */
  readonly applied: number;
  readonly breaches: readonly Breach[];
  /** Why it could not tell, where it could not: one sentence each. */
  readonly unclear?: readonly string[];
  /** What this deployment does where the specification is silent, in words, and for its profile. */
  readonly answers?: readonly string[];
  readonly profile?: readonly ProfilePatch[];
}

/** A pure function from a history to a finding. Level and provenance live with the rule. */
export interface Law {
  /** The id of its rule, or that and an aspect of it: `limiter/burst`, `limiter/burst/own`. */
  readonly id: string;
  readonly rule: RuleId;
  /** One sentence: what holds of every exchange of which the guard is true. */
  readonly title: string;
  judge(history: History): Finding;
}

/** A law that goes by the name of its rule. */
export const lawOf = (rule: RuleId, title: string, judge: Law['judge']): Law => ({ id: rule, rule, title, judge });

/** Says what a law expects of a reply, or why it says nothing about it. */
export type Judged = null | { readonly expected: string; readonly observed: string };

/** A law of one reply: it holds for every exchange of which the guard is true, whoever caused it. */
export function lawOfReplies({
  rule,
  id = rule,
  title,
  applies,
  judge,
}: {
  readonly rule: RuleId;
  readonly id?: string;
  readonly title: string;
  readonly applies: (exchange: Exchange, history: History) => boolean;
  /** Null when the reply is as it should be. */
  readonly judge: (exchange: Exchange, history: History) => Judged;
}): Law {
  return {
    id,
    rule,
    title,
    judge(history) {
      const concerned = history.exchanges.filter((exchange) => exchange.status !== null && applies(exchange, history));
      const breaches = concerned.flatMap((exchange) => {
        const judged = judge(exchange, history);
        return judged === null ? [] : [{ exchange, ...judged }];
      });
      return { applied: concerned.length, breaches };
    },
  };
}

/** What is computed from a history by several laws is computed once. */
export function once<T>(compute: (history: History) => T): (history: History) => T {
  const known = new WeakMap<History, T>();
  return (history) => {
    const found = known.get(history) ?? compute(history);
    known.set(history, found);
    return found;
  };
}
