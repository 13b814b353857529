import { type Exchange, succeeded } from '../history/exchange.ts';
import { outage, outageFailures } from '../numbers.ts';

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Requests of which a gateway may have answered all otherwise for a while: all, those with one key, reads or writes. */
const groupsOf = ({ key, method }: Exchange): string[] => ['all', `key ${key}`, method === 'GET' ? 'reads' : 'writes'];

const kindOf = ({ key, operation, facts }: Exchange) =>
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
    .map((one) => ({ one, kind: kindOf(one), is: isRight(one) }));
  const right = new Set(judged.flatMap(({ kind, is }) => (is === true ? [kind] : [])));
  const spans: Span[] = [];
  let row: Exchange[] = [];
  let before = Number.NEGATIVE_INFINITY;
  const end = (to: number) => {
    const different = new Set(row.map((one) => `${kindOf(one)} ${Object.values(one.params)}`));
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
