/**
 * What single replies say: rules that they keep, rules that they break at first sight, and what must be asked again before it counts, because a
 * firewall or a roll-out could have done it, too.
 */
import type { RuleId } from '../../spec/rules.ts';
import { type Case, caseOf, siteRules } from '../contract/case.ts';
import { isUnavailable, judgeStatus } from '../contract/judge.ts';
import { reasonsOf } from '../contract/reasons.ts';
import { judgeReply, type Said } from '../contract/reply.ts';
import { lifetime, rounding } from '../contract/upload-target.ts';
import { tailOf } from '../experiments/chance.ts';
import { answeringIn, isThere } from '../experiments/there.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import { maxUnavailable, rareShare } from '../numbers.ts';
import type { Deployment } from '../target/deployment.ts';
import type { Evidence } from './law.ts';
import { outagesAmong } from './outages.ts';

/** One kind of request whose replies are not what the contract says. */
export interface Suspicion extends Omit<Said, 'says'> {
  /** The suspicious exchanges, outside outages. */
  readonly exchanges: readonly Exchange[];
  /** How often a request of this kind was answered. */
  readonly of: number;
}

/** Requests of one kind. */
function kindOf(asked: Case | null, { key, method, credential, requestHeaders, demand }: Exchange): string {
  if (asked === null) return `PUT/${demand?.rule}/${requestHeaders['content-type']}`;
  return [
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
}

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
  const answering = answeringIn(exchanges);
  const servedSites = new Set(
    asked.filter(({ exchange }) => succeeded(exchange)).map(({ asked: one }) => `${one.operation} ${one.siteRule}`),
  );
  // Where no site is found, the id is not the reason.
  const isOfSite = (rule: RuleId, one: Case | null) =>
    !siteRules.includes(rule) ||
    siteRules.some((other) => other !== rule && servedSites.has(`${one?.operation} ${other}`));
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
  const groups = new Map<string, { readonly said: Said; readonly kind: string; readonly exchanges: Exchange[] }>();
  const counts = new Map<string, number>();
  const unclear = new Map<RuleId, { readonly why: string; readonly isPlain: boolean }>();
  /** Rules that a request without anything odd showed kept. */
  const plainly = new Set<RuleId>();
  const suspect = (kind: string, said: Said, exchange: Exchange) => {
    if (isOutage(exchange)) return void outages.push(exchange);
    const name = `${kind} ${said.rule} ${said.sign}`;
    const group = groups.get(name) ?? { said, kind, exchanges: [] };
    group.exchanges.push(exchange);
    groups.set(name, group);
  };
  for (const exchange of exchanges) {
    const one = facts.get(exchange) ?? null;
    const start = exchange.demand && exchanges.find(({ n }) => String(n) === exchange.params.start);
    if (
      one === null
        ? isLate(exchange, start, deployment)
        : one.isElsewhere || !isThere(one.operation, deployment, answering)
    )
      continue;
    const kind = kindOf(one, exchange);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    // What is sent faster than its key may is no measure of refusals, but opens no door.
    if (isUnavailable(exchange) && !exchange.paced) continue;
    for (const said of judgeReply(exchange, deployment)) {
      const { rule, says, expected, observed } = said;
      const isPlain = one?.mutation === null;
      if (says === 'kept') evidenceOf(rule).kept++;
      if (says === 'kept' && isPlain) plainly.add(rule);
      if (says === 'kept') continue;
      if (says === 'unclear') unclear.set(rule, { why: observed, isPlain });
      else if (says === 'broken')
        evidenceOf(rule).failures.push({ exchange, expected, observed, with: start ? [start] : [] });
      else if (exchange.paced && isOfSite(rule, one)) suspect(kind, said, exchange);
    }
  }
  for (const [rule, { why, isPlain }] of unclear)
    if (isPlain ? !plainly.has(rule) : evidenceOf(rule).kept === 0) evidenceOf(rule).unclear.push(why);
  const suspicions = [...groups.values()].flatMap(({ said, kind, exchanges: own }): Suspicion[] => {
    const of = counts.get(kind) ?? own.length;
    // An error now and then is documented.
    if (said.sign === 'no usable reply' && own.length < of && tailOf(own.length, of, maxUnavailable) > rareShare)
      return [];
    return [{ ...said, exchanges: own, of }];
  });
  const suspected = new Set(suspicions.flatMap((one) => one.exchanges));
  const lost = lawful.filter((one) => isUnavailable(one) && !suspected.has(one) && !isOutage(one)).length;
  return { suspicions, clean: lawful.filter(succeeded).length, lost, outages };
}

/** Whether a PUT that must succeed was sent when its URL may have expired, because it waited for an experiment. */
const isLate = ({ demand, sentAt }: Exchange, start: Exchange | undefined, { clockSkewSeconds }: Deployment) =>
  demand?.succeeds === true &&
  start !== undefined &&
  sentAt > start.sentAt + lifetime - clockSkewSeconds * 1000 - rounding;
