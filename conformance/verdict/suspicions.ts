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
import type { EvidenceOf, Traffic } from './law.ts';
import { outagesAmong } from './outages.ts';

/** One kind of request whose replies are not what the contract says. */
export interface Suspicion extends Omit<Said, 'says'> {
  /** The suspicious exchanges, outside outages. */
  readonly exchanges: readonly Exchange[];
  /** How often a request of this kind was answered. */
  readonly of: number;
}

export interface Replies {
  readonly suspicions: readonly Suspicion[];
  /** Replies to lawful requests outside outages that were served: windows in which a wrong refusal would have shown. */
  readonly clean: number;
  /** Lawful requests without a usable reply that are no suspicion: as many as come now and then. */
  readonly lost: number;
}

/** Requests of one kind. */
function kindOf(asked: Case | null, { key, method, credential, requestHeaders, demand }: Exchange): string {
  if (asked === null) return `PUT/${demand?.rule}/${requestHeaders['content-type']}`;
  const { operation, caller, siteRule, owner, label, mutation, lacks } = asked;
  // What was made up in place of a key.
  const sent = caller === 'unknown' && credential === 'none' ? requestHeaders['x-api-key'] : credential;
  return [operation, method, caller, sent, siteRule, owner, label, mutation?.id, lacks === 'none' ? '' : key].join(' ');
}

/** Whether the reply is right; null where that is open. */
function isRight(asked: Case, exchange: Exchange): boolean | null {
  if (asked.isElsewhere) return null;
  if (isUnavailable(exchange)) return false;
  // Where any refusal is right, none says that all is well.
  if (!succeeded(exchange) && reasonsOf(asked).some(({ statuses }) => statuses === 'any')) return null;
  const said = [...judgeStatus(asked, exchange)].map(({ says }) => says);
  return said.length === 0 || said.includes('broken') ? null : !said.includes('suspected');
}

/** Adds what single replies say to the evidence. */
export function judgeReplies({ exchanges, deployment }: Traffic, evidenceOf: EvidenceOf): Replies {
  const cases = new Map(exchanges.map((exchange) => [exchange, caseOf(exchange, deployment)]));
  const caseIn = (exchange: Exchange) => cases.get(exchange) ?? null;
  const paced = exchanges.filter((one) => one.paced && caseIn(one) !== null);
  const lawful = paced.filter((exchange) => {
    const asked = caseIn(exchange);
    return asked && !asked.isElsewhere && reasonsOf(asked).length === 0;
  });
  const isOutage = outagesAmong(lawful, (one) => isRight(caseIn(one) as Case, one), paced);
  const answering = answeringIn(exchanges);
  const servedSites = new Set(
    exchanges.filter(succeeded).map((one) => `${caseIn(one)?.operation} ${caseIn(one)?.siteRule}`),
  );
  // Where no site is found, the id is not the reason.
  const isOfSite = (rule: RuleId, asked: Case | null) =>
    !siteRules.includes(rule) ||
    siteRules.some((other) => other !== rule && servedSites.has(`${asked?.operation} ${other}`));
  const groups = new Map<string, { readonly said: Said; readonly kind: string; readonly exchanges: Exchange[] }>();
  const counts = new Map<string, number>();
  const unclear = new Map<RuleId, { readonly why: string; readonly isPlain: boolean }>();
  /** Rules that a request without anything odd showed kept. */
  const plainly = new Set<RuleId>();
  for (const exchange of exchanges) {
    const asked = caseIn(exchange);
    const start = exchange.demand && exchanges.find(({ n }) => String(n) === exchange.params.start);
    const isJudged = asked
      ? !asked.isElsewhere && isThere(asked.operation, deployment, answering)
      : !isLate(exchange, start, deployment);
    if (!isJudged) continue;
    const kind = kindOf(asked, exchange);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    // What is sent faster than its key may is no measure of refusals, but opens no door.
    if (isUnavailable(exchange) && !exchange.paced) continue;
    const isPlain = asked?.mutation === null;
    for (const said of judgeReply(exchange, deployment)) {
      const { rule, says, sign, expected, observed } = said;
      if (says === 'kept') {
        evidenceOf(rule).kept++;
        if (isPlain) plainly.add(rule);
      } else if (says === 'unclear') unclear.set(rule, { why: observed, isPlain });
      else if (says === 'broken') evidenceOf(rule).broken(exchange, expected, observed, start ? [start] : []);
      else if (exchange.paced && isOfSite(rule, asked) && !isOutage(exchange)) {
        const name = `${kind} ${rule} ${sign}`;
        const group = groups.get(name) ?? { said, kind, exchanges: [] };
        group.exchanges.push(exchange);
        groups.set(name, group);
      }
    }
  }
  for (const [rule, { why, isPlain }] of unclear)
    if (isPlain ? !plainly.has(rule) : evidenceOf(rule).kept === 0) evidenceOf(rule).unclear.push(why);
  const suspicions = [...groups.values()].flatMap(({ said, kind, exchanges: own }): Suspicion[] => {
    const of = counts.get(kind) ?? own.length;
    // An error now and then is documented.
    const isRare =
      said.sign === 'no usable reply' && own.length < of && tailOf(own.length, of, maxUnavailable) > rareShare;
    return isRare ? [] : [{ ...said, exchanges: own, of }];
  });
  const suspected = new Set(suspicions.flatMap((one) => one.exchanges));
  const lost = lawful.filter((one) => isUnavailable(one) && !suspected.has(one) && !isOutage(one)).length;
  return { suspicions, clean: lawful.filter(succeeded).length, lost };
}

/** Whether a PUT that must succeed was sent when its URL may have expired, because it waited for an experiment. */
const isLate = ({ demand, sentAt }: Exchange, start: Exchange | undefined, { clockSkewSeconds }: Deployment) =>
  demand?.succeeds === true &&
  start !== undefined &&
  sentAt > start.sentAt + lifetime - clockSkewSeconds * 1000 - rounding;
