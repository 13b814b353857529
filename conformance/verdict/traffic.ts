import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { type Case, caseOf } from '../contract/case.ts';
import { answeringIn, isThere } from '../experiments/there.ts';
import { learnedIn } from '../experiments/views.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { withMadeKeys } from '../hooks/made-keys.ts';
import { perObject } from '../per-object.ts';
import { deploymentOf } from '../target/deployment.ts';
import { tenantsOf } from '../target/records.ts';
import type { Evidence } from './law.ts';

export type Traffic = ReturnType<typeof trafficIn>;

/** A history as judgements read it. @param deployment with the keys that hooks made */
export function trafficIn(
  { known, exchanges, hooks }: Pick<History, 'known' | 'exchanges' | 'hooks'>,
  deployment = deploymentOf(withMadeKeys(known.target, hooks)),
) {
  const answering = answeringIn(exchanges);
  // A label in a list of one's own is no other tenant's alone: both may have it, or share a catalogue.
  const lists = exchanges.filter(
    (one) => one.operation === 'listLabels' && one.facts?.caller === 'valid' && succeeded(one),
  );
  const tenantIn = ({ key }: Exchange) => key?.split('/')[0];
  const own = Map.groupBy(lists, tenantIn);
  const isListed = (one: Exchange) =>
    own.get(tenantIn(one))?.some(({ body }) => body?.toLowerCase().includes(one.params.labelId?.toLowerCase() ?? ''));
  const cases = exchanges.flatMap((exchange): [Exchange, Case][] => {
    const asked = caseOf(exchange, deployment);
    if (asked === null) return [];
    return [[exchange, asked.label === 'foreign' && isListed(exchange) ? { ...asked, label: 'unknown' } : asked]];
  });
  return {
    ...{ known, exchanges, hooks, deployment },
    /** What was asked; nothing of a PUT to an upload URL. */
    cases: new Map(cases) as ReadonlyMap<Exchange, Case>,
    /** Where the replies about each record show labels. */
    learned: learnedIn(exchanges, tenantsOf(deployment)),
    /** Whether the operation is at its address: that is documented, or something succeeded there. */
    isThere: (id: OperationId) => isThere(id, deployment, answering),
  };
}

export const trafficOf = perObject((history: History) => trafficIn(history));

/** Where judgements note what they find of a rule. */
export type EvidenceOf = (rule: RuleId) => Evidence;

/** Adds what the traffic shows to the evidence. */
export type Judge = (traffic: Traffic, evidenceOf: EvidenceOf) => void;
