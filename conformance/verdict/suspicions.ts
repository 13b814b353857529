/**
 * What single replies say: rules that they keep, rules that they break at first sight, and what must be asked again before it counts, because a
 * firewall or a roll-out could have done it, too.
 */
import type { RuleId } from '../../spec/rules.ts';
import { type Case, caseOf } from '../contract/case.ts';
import { formsIn } from '../contract/forms.ts';
import { isUnavailable, type Judgement, judgeStatus, replyRule } from '../contract/judge.ts';
import { isTooSlow } from '../contract/put.ts';
import { mayBeLost, reasonsOf } from '../contract/reasons.ts';
import { tailOf } from '../experiments/chance.ts';
import { operationsIn } from '../experiments/there.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import { maxUnavailable, rareShare } from '../numbers.ts';
import type { Deployment } from '../target/deployment.ts';
import type { Evidence } from './law.ts';
import { outagesAmong } from './outages.ts';
import { judgePuts } from './puts.ts';

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
const kindOf = (asked: Case, { key, method, credential, requestHeaders }: Exchange) =>
  [
    asked.operation,
    method,
    asked.caller,
    // What was made up in place of a key.
    asked.caller === 'unknown' && credential === 'none' ? requestHeaders['x-api-key'] : credential,
    asked.siteRule,
    asked.owner,
    asked.label,
    asked.mutation?.id,
    asked.lacks === 'none' ? '' : key,
  ].join(' ');

/** The rules about ids of sites. */
const siteRules: readonly RuleId[] = ['ids/site-id', 'ids/legacy-site-id-works'];

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
    return one === null ? [] : [{ exchange, asked: one }];
  });
  const lawful = asked
    .filter((one) => one.exchange.paced && reasonsOf(one.asked).length === 0 && !one.asked.isElsewhere)
    .map(({ exchange }) => exchange);
  const isThere = operationsIn(exchanges, deployment);
  const servedSites = new Set(
    asked.filter(({ exchange }) => succeeded(exchange)).map(({ asked: one }) => `${one.operation} ${one.siteRule}`),
  );
  // Where no site is found, the id is not the reason.
  const isOfSite = (rule: RuleId, { operation }: Case) =>
    !siteRules.includes(rule) || siteRules.some((other) => other !== rule && servedSites.has(`${operation} ${other}`));
  const facts = new Map(asked.map(({ exchange, asked: one }) => [exchange, one]));
  const isWrong = (exchange: Exchange): boolean | null => {
    const one = facts.get(exchange);
    if (one === undefined || one.isElsewhere) return null;
    if (isUnavailable(exchange)) return true;
    // Where any refusal is right, none says that all is well.
    if (!succeeded(exchange) && reasonsOf(one).some(({ statuses }) => statuses === 'any')) return null;
    const said = judgeStatus(one, exchange).map(({ says }) => says);
    return said.length === 0 || said.includes('broken') ? null : said.includes('suspected');
  };
  const isOutage = outagesAmong(
    lawful,
    isWrong,
    asked.map(({ exchange }) => exchange).filter(({ paced }) => paced),
  );
  const outages: Exchange[] = [];
  const groups = new Map<string, { judgement: Judgement; sign: Suspicion['sign']; exchanges: Exchange[] }>();
  const counts = new Map<string, number>();
  const tooSlow = new Set<RuleId>();
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
    // What is sent faster than its key may is no measure of refusals, but opens no door.
    if (isUnavailable(exchange) && !exchange.paced) continue;
    if (isUnavailable(exchange)) {
      const rule = replyRule(one);
      if (isTooSlow(exchange)) tooSlow.add(rule);
      else if (mayBeLost(one, exchange.status)) evidenceOf(rule).kept++;
      if (isTooSlow(exchange) || mayBeLost(one, exchange.status)) continue;
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
      else if (exchange.paced && isOfSite(rule, one)) suspect(`${kind} ${rule}`, judgement, 'wrong reply', exchange);
    }
  }
  const putKind = ({ demand, requestHeaders }: Exchange) => `PUT/${demand?.rule}/${requestHeaders['content-type']}`;
  for (const one of exchanges) if (one.demand) counts.set(putKind(one), (counts.get(putKind(one)) ?? 0) + 1);
  judgePuts(exchanges, deployment.clockSkewSeconds, evidenceOf, (put, rule, sign, observed) => {
    const expected = 'the store to take the bytes';
    suspect(`${putKind(put)} ${rule} ${sign}`, { rule, says: 'suspected', expected, observed }, sign, put);
  });
  for (const rule of tooSlow)
    if (evidenceOf(rule).kept === 0)
      evidenceOf(rule).unclear.push('a large body was not answered in time: give a longer --timeout');
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
