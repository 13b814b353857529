/**
 * What single replies say: rules that they keep, rules that they break at first sight, and what must be asked again before it counts, because a
 * firewall or a roll-out could have done it, too.
 */
import type { RuleId } from '../../spec/rules.ts';
import { type Case, caseOf } from '../contract/case.ts';
import { formsIn } from '../contract/forms.ts';
import { isUnavailable, type Judgement, judgeStatus, replyRule } from '../contract/judge.ts';
import { reasonsOf } from '../contract/reasons.ts';
import { tailOf } from '../experiments/chance.ts';
import { maxUnavailable } from '../experiments/numbers.ts';
import { operationsIn } from '../experiments/there.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import type { Evidence } from './evidence.ts';
import { outagesAmong } from './outages.ts';

/** One kind of request whose replies are not what the contract says. */
export interface Suspicion {
  readonly rule: RuleId;
  readonly sign: 'wrong reply' | 'no usable reply';
  readonly name: string;
  readonly expected: string;
  readonly observed: string;
  /** The suspicious exchanges, outside outages. */
  readonly exchanges: readonly Exchange[];
  /** How often a request of this kind was answered. */
  readonly of: number;
}

/** Requests of one kind. */
const kindOf = (asked: Case, { key, method }: Exchange) =>
  [
    asked.operation,
    method,
    asked.caller,
    asked.owner,
    asked.label,
    asked.mutation?.id,
    asked.lacks === 'none' ? '' : key,
  ].join(' ');

/** A share of errors that chance gives less often than this is no error now and then. */
const rareShare = 1e-6;

export interface Replies {
  readonly suspicions: readonly Suspicion[];
  /** Replies to lawful requests outside outages that were served: windows in which a wrong refusal would have shown. */
  readonly clean: number;
  /** Lawful requests without a usable reply that are no suspicion: as many as come now and then. */
  readonly lost: number;
  /** Exchanges that were refused or lost in an outage. */
  readonly outages: readonly Exchange[];
}

/** Adds what single replies say to the evidence. */
export function judgeReplies(
  exchanges: readonly Exchange[],
  deployment: Deployment,
  evidenceOf: (rule: RuleId) => Evidence,
): Replies {
  const asked = exchanges.flatMap((exchange) => {
    const one = caseOf(exchange, deployment);
    return one === null || !exchange.paced ? [] : [{ exchange, asked: one }];
  });
  const lawful = asked
    .filter((one) => reasonsOf(one.asked).length === 0 && !one.asked.isElsewhere)
    .map(({ exchange }) => exchange);
  const isThere = operationsIn(exchanges, deployment);
  const isOutage = outagesAmong(lawful);
  const outages: Exchange[] = [];
  const groups = new Map<string, { judgement: Judgement; sign: Suspicion['sign']; exchanges: Exchange[] }>();
  const counts = new Map<string, number>();
  const suspect = (name: string, judgement: Judgement, sign: Suspicion['sign'], exchange: Exchange) => {
    if (isOutage(exchange)) return void outages.push(exchange);
    const group = groups.get(name) ?? { judgement, sign, exchanges: [] };
    group.exchanges.push(exchange);
    groups.set(name, group);
  };
  for (const { exchange, asked: one } of asked) {
    if (one.isElsewhere || !isThere(one.operation)) continue;
    const kind = kindOf(one, exchange);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (isUnavailable(exchange)) {
      const rule = replyRule(one);
      const observed = exchange.status === null ? (exchange.failure ?? 'no reply') : `${exchange.status}`;
      suspect(
        `${kind} ${rule} lost`,
        { rule, says: 'suspected', expected: 'a usable reply', observed },
        'no usable reply',
        exchange,
      );
      continue;
    }
    for (const judgement of [...judgeStatus(one, exchange), ...formsIn(one, exchange, deployment)]) {
      const { rule, says, expected, observed } = judgement;
      if (says === 'kept') evidenceOf(rule).kept++;
      else if (says === 'broken') evidenceOf(rule).failures.push({ exchange, expected, observed, with: [] });
      else suspect(`${kind} ${rule}`, judgement, 'wrong reply', exchange);
    }
  }
  for (const exchange of exchanges) {
    const { demand, status } = exchange;
    if (demand === undefined || isUnavailable(exchange)) continue;
    const { rule, succeeds } = demand;
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
    const [expected, observed] = [succeeds ? 'the store to take the bytes' : 'a refusal of the store', `${status}`];
    if (succeeded(exchange) === succeeds) evidenceOf(rule).kept++;
    else if (succeeds)
      suspect(`${rule} ${rule}`, { rule, says: 'suspected', expected, observed }, 'wrong reply', exchange);
    else evidenceOf(rule).failures.push({ exchange, expected, observed, with: [] });
  }
  const suspicions = [...groups].flatMap(([name, { judgement, sign, exchanges: own }]): Suspicion[] => {
    const { rule, expected, observed } = judgement;
    const kind = name.slice(0, name.indexOf(` ${rule}`));
    const of = counts.get(kind) ?? own.length;
    // An error now and then is documented.
    if (sign === 'no usable reply' && own.length < of && tailOf(own.length, of, maxUnavailable) > rareShare) return [];
    return [{ rule, sign, name, expected, observed, exchanges: own, of }];
  });
  const suspected = new Set(suspicions.flatMap((one) => one.exchanges));
  const lost = lawful.filter((one) => isUnavailable(one) && !suspected.has(one) && !isOutage(one)).length;
  return { suspicions, clean: lawful.filter(succeeded).length, lost, outages };
}
