/**
 * What single replies say: rules that they keep, rules that they break at first sight, and what must be asked again before it counts, because a
 * firewall or a roll-out could have done it, too.
 */
import type { RuleId } from '../../spec/rules.ts';
import { type Case, reasonsOf, siteRules } from '../contract/case.ts';
import { isUnavailable, type Judgement, judgeStatus } from '../contract/judge.ts';
import { judgeReply, signOf } from '../contract/reply.ts';
import { counted } from '../counted.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import { isRare, outagesAmong, refusedInFront } from './excuses.ts';
import type { Doubt } from './law.ts';
import type { EvidenceOf, Traffic } from './traffic.ts';

export type Replies = ReturnType<typeof judgeReplies>;

/** Requests of one kind. */
function kindOf(asked: Case | undefined, { key, method, credential, requestHeaders, demand }: Exchange): string {
  if (asked === undefined) return `PUT/${demand?.rule}/${requestHeaders['content-type']}`;
  const { operation, caller, siteRule, owner, label, mutation, lacks, once } = asked;
  // What was made up in place of a key. Odd callers of what can be asked only once are counted together.
  const isMadeUp = caller === 'unknown' && credential === 'none';
  const sent = once ? '' : isMadeUp ? requestHeaders['x-api-key'] : credential;
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
export function judgeReplies({ exchanges, deployment, cases, isThere }: Traffic, evidenceOf: EvidenceOf) {
  const paced = exchanges.filter((one) => one.paced && cases.has(one));
  const lawful = paced.filter((exchange) => {
    const asked = cases.get(exchange);
    return asked && !asked.isElsewhere && reasonsOf(asked).length === 0;
  });
  const stored = exchanges.filter(({ operation, demand }) => operation === 'storage' && demand?.succeeds === true);
  const isOutage = outagesAmong([...lawful, ...stored], (one) => isRight(cases.get(one) as Case, one), paced);
  const inFront = refusedInFront(cases);
  const blocked = Map.groupBy(
    lawful.filter((one) => inFront.has(one)),
    ({ key }) => key,
  );
  for (const [key, own] of blocked) {
    const [from, to] = [own[0], own.at(-1)].map((one) =>
      ((Number(one?.sentAt) - Number(exchanges[0]?.sentAt)) / 1_000).toFixed(1),
    );
    const words = `${key} was refused ${counted(own.length, 'time')} between ${from} s and ${to} s, as by a firewall`;
    evidenceOf('auth/key-in-x-api-key').answers.push(words);
  }
  const siteKind = (rule: RuleId | null, asked?: Case) => `${asked?.operation} ${asked?.successRule} ${rule}`;
  const servedSites = new Set(
    [...cases].flatMap(([one, asked]) => (succeeded(one) ? [siteKind(asked.siteRule, asked)] : [])),
  );
  // Where no site is found, or for none a write is taken that changes nothing, the id is not the reason.
  const isOfSite = (rule: RuleId, asked: Case | undefined) =>
    !siteRules.includes(rule) || siteRules.some((other) => other !== rule && servedSites.has(siteKind(other, asked)));
  const groups = new Map<
    string,
    { readonly said: Judgement & { readonly sign: string }; readonly kind: string; readonly exchanges: Exchange[] }
  >();
  const counts = new Map<string, number>();
  const unclear = new Map<RuleId, string>();
  for (const exchange of exchanges) {
    const asked = cases.get(exchange);
    if (asked && (asked.isElsewhere || !isThere(asked.operation))) continue;
    const kind = kindOf(asked, exchange);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    // What is sent faster than its key may is no measure of refusals, but opens no door.
    if (isUnavailable(exchange) && !exchange.paced) continue;
    const sign = signOf(exchange);
    for (const said of judgeReply(exchange, deployment, asked ?? null)) {
      const { rule, says, expected, observed } = said;
      if (says === 'kept') evidenceOf(rule).kept++;
      else if (says === 'unclear') unclear.set(rule, observed);
      else if (says === 'broken') {
        const start = exchanges.filter(({ n }) => exchange.demand && String(n) === exchange.params.start);
        evidenceOf(rule).broken(exchange, expected, observed, start);
      } else if (exchange.paced && isOfSite(rule, asked) && !isOutage(exchange) && !inFront.has(exchange)) {
        const name = `${kind} ${rule} ${sign}`;
        const group = groups.get(name) ?? { said: { ...said, sign }, kind, exchanges: [] };
        group.exchanges.push(exchange);
        groups.set(name, group);
      }
    }
  }
  for (const [rule, why] of unclear) if (evidenceOf(rule).kept === 0) evidenceOf(rule).unclear.push(why);
  const doubts = [...groups.values()].flatMap(({ said, kind, exchanges: own }): Doubt[] => {
    const [times, of] = [own.length, counts.get(kind) ?? 0];
    const words = `${said.observed} where ${said.expected.replace(/ \(.*\)$/, '')} was expected`;
    return said.sign === 'no usable reply' && isRare(times, of) ? [] : [{ ...said, words, exchanges: own, of }];
  });
  const doubtful = new Set(doubts.flatMap((one) => one.exchanges));
  const lost = lawful.filter((one) => isUnavailable(one) && !doubtful.has(one) && !isOutage(one)).length;
  return {
    doubts,
    inFront,
    /** Replies to lawful requests outside outages that were served: windows in which a wrong refusal would have shown. */
    clean: lawful.filter(succeeded).length,
    /** Lawful requests without a usable reply that are no doubt: as many as come now and then. */
    lost,
  };
}
