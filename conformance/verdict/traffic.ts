import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { type Case, caseOf } from '../contract/case.ts';
import { answeringIn, isThere } from '../experiments/there.ts';
import { type Learned, learnedIn } from '../experiments/views.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { withMadeKeys } from '../hooks/made-keys.ts';
import { perObject } from '../per-object.ts';
import { type Deployment, deploymentOf } from '../target/deployment.ts';
import { tenantsOf } from '../target/records.ts';
import type { Evidence } from './law.ts';

/** A history as judgements read it. */
export interface Traffic extends Pick<History, 'known' | 'exchanges' | 'hooks'> {
  /** With the keys that hooks made. */
  readonly deployment: Deployment;
  /** What was asked; nothing of a PUT to an upload URL. */
  readonly cases: ReadonlyMap<Exchange, Case>;
  /** Where the replies about each record show labels. */
  readonly learned: ReadonlyMap<string, Learned>;
  /** Whether the operation is at its address: that is documented, or something succeeded there. */
  isThere(operation: OperationId): boolean;
}

export function trafficIn(
  { known, exchanges, hooks }: Pick<History, 'known' | 'exchanges' | 'hooks'>,
  deployment = deploymentOf(withMadeKeys(known.target, hooks)),
): Traffic {
  const answering = answeringIn(exchanges);
  const cases = exchanges.flatMap((exchange): [Exchange, Case][] => {
    const asked = caseOf(exchange, deployment);
    return asked === null ? [] : [[exchange, asked]];
  });
  return {
    ...{ known, exchanges, hooks, deployment },
    cases: new Map(cases),
    learned: learnedIn(exchanges, tenantsOf(deployment)),
    isThere: (id) => isThere(id, deployment, answering),
  };
}

export const trafficOf = perObject((history: History) => trafficIn(history));

/** Where judgements note what they find of a rule. */
export type EvidenceOf = (rule: RuleId) => Evidence;

/** Adds what the traffic shows to the evidence. */
export type Judge = (traffic: Traffic, evidenceOf: EvidenceOf) => void;
