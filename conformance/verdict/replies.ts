/**
 * What single replies say: rules that they keep, rules that they break at first sight, and what must be asked again before it counts, because a
 * firewall or a roll-out could have done it, too.
 */
import type { RuleId } from '../../spec/rules.ts';
import { type Case, siteRules } from '../contract/case.ts';
import { isUnavailable, type Judgement, judgeStatus } from '../contract/judge.ts';
import { reasonsOf } from '../contract/reasons.ts';
import { judgeReply, signOf } from '../contract/reply.ts';
import { counted } from '../counted.ts';
import { tailOf } from '../experiments/chance.ts';
import { type Exchange, jsonOf, succeeded } from '../history/exchange.ts';
import { maxUnavailable, noChance, outage, outageFailures, rareShare } from '../numbers.ts';
import type { EvidenceOf, Traffic } from './traffic.ts';

/** What is not as the contract says, and counts only if a trial shows it. */
export interface Doubt {
  readonly rule: RuleId;
  readonly sign: string;
  readonly words: string;
  readonly expected?: string;
  readonly observed?: string;
  /** Those that show it, outside outages. */
  readonly exchanges: readonly Exchange[];
  /** How often a request of this kind was answered. */
  readonly of: number;
}

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

/** An error now and then is documented. */
export const isRare = (times: number, of: number): boolean =>
  times < of && tailOf(times, of, maxUnavailable) > rareShare;

/** Adds what single replies say to the evidence. */
export function judgeReplies({ exchanges, deployment, cases, isThere }: Traffic, evidenceOf: EvidenceOf) {
  const paced = exchanges.filter((one) => one.paced && cases.has(one));
  const lawful = paced.filter((exchange) => {
    const asked = cases.get(exchange);
    return asked && !asked.isElsewhere && reasonsOf(asked).length === 0;
  });
  const isOutage = outagesAmong(lawful, (one) => isRight(cases.get(one) as Case, one), paced);
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
  const servedSites = new Set(
    [...cases].flatMap(([one, { operation, siteRule }]) => (succeeded(one) ? [`${operation} ${siteRule}`] : [])),
  );
  // Where no site is found, the id is not the reason.
  const isOfSite = (rule: RuleId, asked: Case | undefined) =>
    !siteRules.includes(rule) ||
    siteRules.some((other) => other !== rule && servedSites.has(`${asked?.operation} ${other}`));
  const groups = new Map<
    string,
    { readonly said: Judgement & { readonly sign: string }; readonly kind: string; readonly exchanges: Exchange[] }
  >();
  const counts = new Map<string, number>();
  const unclear = new Map<RuleId, { readonly why: string; readonly isPlain: boolean }>();
  /** Rules that a request without anything odd showed kept. */
  const plainly = new Set<RuleId>();
  for (const exchange of exchanges) {
    const asked = cases.get(exchange);
    if (asked && (asked.isElsewhere || !isThere(asked.operation))) continue;
    const kind = kindOf(asked, exchange);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    // What is sent faster than its key may is no measure of refusals, but opens no door.
    if (isUnavailable(exchange) && !exchange.paced) continue;
    const isPlain = asked?.mutation === null;
    const sign = signOf(exchange);
    for (const said of judgeReply(exchange, deployment, asked ?? null)) {
      const { rule, says, expected, observed } = said;
      if (says === 'kept') {
        evidenceOf(rule).kept++;
        if (isPlain) plainly.add(rule);
      } else if (says === 'unclear') unclear.set(rule, { why: observed, isPlain });
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
  for (const [rule, { why, isPlain }] of unclear)
    if (isPlain ? !plainly.has(rule) : evidenceOf(rule).kept === 0) evidenceOf(rule).unclear.push(why);
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

/** What a reply says, without its numbers and ids; of a page only that it is no JSON. */
function wordsOf(one: Exchange): string {
  if (succeeded(one)) return 'success';
  return `${one.status} ${jsonOf(one) === undefined ? '' : one.body?.replace(/[\w-]*\d[\w-]*/g, '')}`;
}

/**
 * Refusals by something in front, as by a firewall: it answers in the same words what must succeed and what must be refused, of many operations,
 * while most of that is answered otherwise at other times. The reasons of the API itself always have the same words.
 */
function refusedInFront(cases: Traffic['cases']): ReadonlySet<Exchange> {
  const all = [...cases].flatMap(([exchange, asked]) => {
    const { operation, isElsewhere, mutation } = asked;
    if (isElsewhere || isUnavailable(exchange)) return [];
    const reasons = reasonsOf(asked).map(({ id }) => id);
    const { labelId: _, ...params } = exchange.params;
    const record = Object.values(params).join();
    const isLawful = reasons.length === 0;
    const kinds = isLawful
      ? [`${operation} by ${exchange.key}`, `${operation} of ${record}`, `${mutation?.id}`]
      : [`${operation} ${reasons}`];
    const last = isLawful ? [`by ${exchange.key}`, `of ${record}`] : [];
    return [{ exchange, operation, isLawful, kinds, last, words: wordsOf(exchange) }];
  });
  const served = all.filter(({ isLawful, words }) => !isLawful || words === 'success');
  const said = Map.groupBy(
    served.flatMap((one) => [...one.kinds, ...one.last].map((kind) => ({ ...one, kind }))),
    ({ kind }) => kind,
  );
  // A block ends: the key and the record are served later.
  const isOtherwise = ({ kinds, last, words, exchange: { n } }: (typeof all)[number]) =>
    kinds.every((kind) => said.get(kind)?.some((one) => one.words !== words)) &&
    last.every((kind) => said.get(kind)?.some(({ exchange }) => exchange.n > n));
  const groups = Map.groupBy(all, ({ words }) => words);
  groups.delete('success');
  return new Set(
    [...groups.values()].flatMap((own) => {
      const others = own.filter(isOtherwise);
      const isFront =
        others.length > own.length / 2 &&
        new Set(others.map(({ isLawful }) => isLawful)).size > 1 &&
        new Set(others.map(({ operation }) => operation)).size >= noChance;
      return isFront ? others.map(({ exchange }) => exchange) : [];
    }),
  );
}

/** Whether the same request, in the same state of the record, is answered otherwise at other times: then its refusals are a block of some seconds. */
export function isServedElse(one: Exchange, exchanges: readonly Exchange[]): boolean {
  const asked = ({ method, requestHeaders, facts, step }: Exchange) =>
    JSON.stringify([method, requestHeaders, facts, step?.carries]);
  return exchanges.some(
    (other) =>
      other.url === one.url && other.status !== one.status && !isUnavailable(other) && asked(other) === asked(one),
  );
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Requests of which a gateway may have answered all otherwise for a while: all, those with one key, reads or writes. */
const groupsOf = ({ key, method }: Exchange): string[] => ['all', `key ${key}`, method === 'GET' ? 'reads' : 'writes'];

const askerOf = ({ key, operation, facts }: Exchange) =>
  `${key} ${operation}${facts && (facts.caller !== 'valid' || facts.owner === 'theirs') ? ` ${facts.caller} ${facts.owner}` : ''}`;

/**
 * Says of an exchange whether it fell into an outage, so that it proves nothing: everything else that was asked lawfully around it failed as well,
 * or many different requests in a row failed that were served at other times. What is never served is no outage.
 * @param all also requests that must be refused
 * @param isRight whether the reply to such a request is the right one; null where that is open
 */
export function outagesAmong(
  lawful: readonly Exchange[],
  isRight: (exchange: Exchange) => boolean | null = () => null,
  all: readonly Exchange[] = [],
): (exchange: Exchange) => boolean {
  const spans = new Map<string, Span[]>();
  for (const group of new Set(['all', ...lawful.flatMap(groupsOf)]))
    spans.set(group, [
      ...spansIn(
        lawful.filter((one) => groupsOf(one).includes(group)),
        succeeded,
      ),
      ...(group === 'all' ? spansIn(all, isRight) : []),
    ]);
  const isAlone = (exchange: Exchange) => {
    const [from, to] = [exchange.sentAt - outage, exchange.doneAt + outage];
    const others = lawful.filter(
      ({ sentAt, operation, key }) =>
        sentAt >= from && sentAt <= to && (operation !== exchange.operation || key !== exchange.key),
    );
    return others.length === 0 || others.some(succeeded);
  };
  const isWithin =
    ({ sentAt, doneAt }: Exchange) =>
    ({ from, to }: Span) =>
      sentAt <= to && doneAt >= from;
  return (exchange) =>
    groupsOf(exchange).some((group) => spans.get(group)?.some(isWithin(exchange))) || !isAlone(exchange);
}

/** Where many in a row failed, of which hardly two are alike, and which are answered rightly at other times: from the last success to the next. */
function spansIn(exchanges: readonly Exchange[], isRight: (exchange: Exchange) => boolean | null): Span[] {
  const judged = exchanges
    .toSorted((a, b) => a.sentAt - b.sentAt)
    .map((one) => ({ one, kind: askerOf(one), is: isRight(one) }));
  const right = new Set(judged.flatMap(({ kind, is }) => (is === true ? [kind] : [])));
  const spans: Span[] = [];
  let row: Exchange[] = [];
  let before = Number.NEGATIVE_INFINITY;
  const end = (to: number) => {
    const different = new Set(row.map((one) => `${askerOf(one)} ${Object.values(one.params)}`));
    if (row.length >= outageFailures && different.size > outageFailures / 2)
      spans.push({
        from: Math.min(before, row[0]?.sentAt ?? 0),
        to: Math.max(to, ...row.map(({ doneAt }) => doneAt)),
      });
    row = [];
  };
  for (const { one, is } of judged.filter(({ kind, is }) => is !== null && right.has(kind))) {
    if (is) {
      end(one.sentAt);
      before = one.doneAt;
    } else row.push(one);
  }
  end(Number.POSITIVE_INFINITY);
  return spans;
}
