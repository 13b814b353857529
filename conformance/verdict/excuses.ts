/** What excuses a wrong reply, so that it proves nothing: something in front refused it, all failed for a while, or what is asked for was taken away. */
import { isOperationId, type OperationId, operations } from '../../spec/operations.ts';
import { type Case, reasonsOf } from '../contract/case.ts';
import { isUnavailable } from '../contract/judge.ts';
import { tailOf } from '../experiments/chance.ts';
import { type Exchange, jsonOf, succeeded } from '../history/exchange.ts';
import { maxUnavailable, noChance, outageFailures, rareShare } from '../numbers.ts';

/** Whether something in front may have refused all of these, in words of its own or for some seconds, or nothing is there any more. */
export function isByAFront(
  wrong: readonly Exchange[],
  all: readonly Exchange[],
  inFront: ReadonlySet<Exchange>,
): boolean {
  const isBlock = (one: Exchange) =>
    inFront.has(one) || (isInWordsOfAFront(one) && isServedElse(one, all)) || goneIn(one, all) !== null;
  return wrong.length > 0 && wrong.every(isBlock);
}

const isInWordsOfAFront = (one: Exchange) => one.status === 429 || (!succeeded(one) && jsonOf(one) === undefined);

/** An error now and then is documented. */
export const isRare = (times: number, of: number): boolean =>
  times < of && tailOf(times, of, maxUnavailable) > rareShare;

/** What a reply says, without its numbers and ids; of a page only that it is no JSON. */
function wordsOf(one: Exchange): string {
  if (succeeded(one)) return 'success';
  return `${one.status} ${jsonOf(one) === undefined ? '' : one.body?.replace(/[\w-]*\d[\w-]*/g, '')}`;
}

/**
 * Refusals by something in front, as by a firewall: it answers in the same words what must succeed and what must be refused, of many operations,
 * while most of that is answered otherwise at other times. The reasons of the API itself always have the same words.
 */
export function refusedInFront(cases: ReadonlyMap<Exchange, Case>): ReadonlySet<Exchange> {
  const all = [...cases].flatMap(([exchange, asked]) => {
    const { operation, isElsewhere, mutation } = asked;
    if (isElsewhere || isUnavailable(exchange)) return [];
    const reasons = reasonsOf(asked).map(({ id }) => id);
    const record = recordIn(exchange);
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
function isServedElse(one: Exchange, exchanges: readonly Exchange[]): boolean {
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
  /** What was answered: with few requests of a group a span is long, and others come between. */
  readonly statuses: ReadonlySet<Exchange['status']>;
}

/** Requests of which a gateway may have answered all otherwise for a while: all, those with one key, those of a method, writes. */
const groupsOf = ({ key, method }: Exchange): string[] => [
  ...['all', `key ${key}`, method],
  ...(method === 'GET' ? [] : ['writes']),
];

/** The record that a request names: bytes are sent to none. */
const recordIn = ({ operation, params: { labelId: _, ...record } }: Exchange) =>
  operation === 'storage' ? '' : Object.values(record).join();

const askerOf = ({ key, operation, facts }: Exchange) =>
  `${key} ${operation}${facts && (facts.caller !== 'valid' || facts.owner === 'theirs') ? ` ${facts.caller} ${facts.owner}` : ''}`;

/**
 * Says of an exchange whether it fell into an outage, so that it proves nothing: many different requests in a row failed that were served at other times. What is never served is no outage.
 * @param all also requests that must be refused
 * @param isRight whether the reply to such a request is the right one; null where that is open
 */
export function outagesAmong(
  lawful: readonly Exchange[],
  isRight: (exchange: Exchange) => boolean | null = () => null,
  all: readonly Exchange[] = [],
): (exchange: Exchange) => boolean {
  const spans = new Map<string, Span[]>();
  const isLawful = new Set(lawful);
  // What must be refused is asked of many records, of each but once.
  const kindsOf = (one: Exchange) => [
    askerOf(one),
    ...(isLawful.has(one) ? [`${one.operation} of ${recordIn(one)}`] : []),
  ];
  for (const group of new Set(['all', ...lawful.flatMap(groupsOf)]))
    spans.set(group, [
      ...spansIn(
        lawful.filter((one) => groupsOf(one).includes(group)),
        succeeded,
        kindsOf,
      ),
      ...(group === 'all' ? spansIn(all, isRight, kindsOf) : []),
    ]);
  const isWithin =
    (one: Exchange) =>
    ({ from, to, statuses }: Span) =>
      one.sentAt <= to && one.doneAt >= from && (statuses.has(one.status) || isUnavailable(one));
  return (exchange) => groupsOf(exchange).some((group) => spans.get(group)?.some(isWithin(exchange)));
}

/** Where many in a row failed, of which hardly two are alike, and which are answered rightly at other times: from the last success to the next. */
function spansIn(
  exchanges: readonly Exchange[],
  isRight: (exchange: Exchange) => boolean | null,
  kindsOf: (exchange: Exchange) => readonly string[],
): Span[] {
  const judged = exchanges
    .toSorted((a, b) => a.sentAt - b.sentAt)
    .map((one) => ({ one, kinds: kindsOf(one), is: isRight(one) }));
  const right = new Set(judged.flatMap(({ kinds, is }) => (is === true ? kinds : [])));
  const spans: Span[] = [];
  let row: Exchange[] = [];
  let before = Number.NEGATIVE_INFINITY;
  const end = (to: number) => {
    const different = new Set(row.map((one) => `${askerOf(one)} ${Object.values(one.params)}`));
    if (row.length >= outageFailures && different.size > outageFailures / 2)
      spans.push({
        from: Math.min(before, row[0]?.sentAt ?? 0),
        to: Math.max(to, ...row.map(({ doneAt }) => doneAt)),
        statuses: new Set(row.map(({ status }) => status)),
      });
    row = [];
  };
  for (const { one, is } of judged.filter(({ kinds, is }) => is !== null && kinds.every((kind) => right.has(kind)))) {
    if (is) {
      end(one.sentAt);
      before = one.doneAt;
    } else row.push(one);
  }
  end(Number.POSITIVE_INFINITY);
  return spans;
}

/** What a request needs: the record and the label that it names, or it is not found, and its key with its scopes, or it is forbidden. */
const needsOf = ({ operation, key, params: { labelId = '', ...record } = {} }: Exchange): Record<number, string[]> => ({
  404: [Object.values(record).join(' '), labelId].map((one) => one.toLowerCase()),
  403: [
    key ?? '',
    ...(isOperationId(operation ?? '') ? operations[operation as OperationId].scopes : []).map(
      (one) => `${key} ${one}`,
    ),
  ],
});

const refusalOf = ({ status }: Exchange): number => (status === 410 ? 404 : (status ?? 0));

/**
 * Whether this was there before, and no operation finds it, of two at least that found it. What is there again later was gone only if so many in a
 * row did not find it that chance does not do it. `isBack`: it is there again later.
 */
function goneAs(thing: string, refusal: number, { key, sentAt }: Exchange, exchanges: readonly Exchange[]) {
  const tenantOf = (name: string | null) => name?.split('/')[0];
  const own = exchanges.filter((one) => tenantOf(one.key) === tenantOf(key) && needsOf(one)[refusal]?.includes(thing));
  const served = own.filter(succeeded);
  const from = Math.max(...served.flatMap(({ doneAt }) => (doneAt <= sentAt ? [doneAt] : [])));
  const to = Math.min(...served.flatMap((one) => (one.doneAt > sentAt ? [one.sentAt] : [])));
  const kindOf = ({ key, facts }: Exchange) => JSON.stringify([key, facts]);
  const found = new Set(served.map(kindOf));
  const lost = own.filter(
    (one) => one.sentAt > from && one.sentAt < to && refusalOf(one) === refusal && found.has(kindOf(one)),
  );
  const isBack = to < Number.POSITIVE_INFINITY;
  const isEnough = !isBack || lost.length >= outageFailures;
  const isGone = sentAt > from && sentAt < to && isEnough && new Set(lost.map(({ operation }) => operation)).size > 1;
  return isGone ? { thing, isBack } : null;
}

/** What was gone when this was asked; null where nothing was. @param label that this is about, where it is not what a refusal says */
export const goneIn = (one: Exchange, exchanges: readonly Exchange[], label = '') =>
  (label === '' ? (needsOf(one)[refusalOf(one)] ?? []) : [label.toLowerCase()])
    .map((thing) => (thing === '' ? null : goneAs(thing, label === '' ? refusalOf(one) : 404, one, exchanges)))
    .find((gone) => gone !== null) ?? null;
