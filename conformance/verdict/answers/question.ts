import type { OperationId } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Case } from '../../contract/case.ts';
import type { Learned } from '../../experiments/views.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { ProfilePatch } from '../../profile.ts';
import type { Deployment } from '../../target/deployment.ts';

/** What a reply says about a question that the specification leaves open. */
export interface Answer {
  /** What is answered: the same topic may be answered in several ways. */
  readonly topic: string;
  readonly words?: string;
  /** How it differs from what we assume. */
  readonly differs?: { readonly expected: string; readonly observed: string };
  /** For a mock that does the same. The first of a topic counts. */
  readonly profile?: ProfilePatch | undefined;
}

/** What a question may look at beside the one exchange. */
export interface Around {
  readonly cases: readonly { readonly asked: Case; readonly exchange: Exchange }[];
  /** Lists of labels as they were asked for lawfully. */
  readonly lists: readonly Exchange[];
  /** Where the replies about each record show labels. */
  readonly learned: ReadonlyMap<string, Learned>;
  readonly deployment: Deployment;
  /** Whether the operation is at its address: that is documented, or something succeeded there. */
  isThere(operation: OperationId): boolean;
}

/** A question that the specification leaves open. */
export interface Question {
  readonly rule: RuleId;
  applies(asked: Case, exchange: Exchange, around: Around): boolean;
  answer(asked: Case, exchange: Exchange, around: Around): Answer | readonly Answer[];
}
