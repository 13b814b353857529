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
 * @param isWrong whether the reply to such a request is not the right refusal; null where that is open
 */
export function outagesAmong(
  lawful: readonly Exchange[],
  isWrong: (exchange: Exchange) => boolean | null = () => null,
  all: readonly Exchange[] = [],
): (exchange: Exchange) => boolean {
  const inOrder = lawful.toSorted((a, b) => a.sentAt - b.sentAt);
  const served = new Set(inOrder.filter(succeeded).map(kindOf));
  const spans = new Map<string, Span[]>();
  const usual = inOrder.filter((one) => served.has(kindOf(one)));
  for (const group of new Set(usual.flatMap(groupsOf)))
    spans.set(
      group,
      spansIn(
        usual.filter((one) => groupsOf(one).includes(group)),
        (one) => !succeeded(one),
      ),
    );
  spans.set('all', [...(spans.get('all') ?? []), ...spansOfAll(all, isWrong)]);
  const times = inOrder.map(({ sentAt }) => sentAt);
  const failsAlone = (exchange: Exchange) => {
    let others = 0;
    for (let i = firstFrom(times, exchange.sentAt - outage); i < inOrder.length; i++) {
      const other = inOrder[i] as Exchange;
      if (other.sentAt > exchange.doneAt + outage) break;
      if (other.operation === exchange.operation && other.key === exchange.key) continue;
      if (succeeded(other)) return true;
      others++;
    }
    return others === 0;
  };
  return (exchange) =>
    groupsOf(exchange).some((group) =>
      spans.get(group)?.some(({ from, to }) => exchange.sentAt <= to && exchange.doneAt >= from),
    ) || !failsAlone(exchange);
}

/** The same among all requests, each of which is answered rightly at other times. */
function spansOfAll(all: readonly Exchange[], isWrong: (exchange: Exchange) => boolean | null): Span[] {
  const judged = new Map(all.map((one) => [one, isWrong(one)]));
  const right = new Set(all.filter((one) => judged.get(one) === false).map(kindOf));
  const usual = all.filter((one) => judged.get(one) !== null && right.has(kindOf(one)));
  return spansIn(
    usual.toSorted((a, b) => a.sentAt - b.sentAt),
    (one) => judged.get(one) === true,
  );
}

/** Where many in a row failed, of which hardly two are alike: from the last success to the next. */
function spansIn(inOrder: readonly Exchange[], hasFailed: (exchange: Exchange) => boolean): Span[] {
  const spans: Span[] = [];
  let row: Exchange[] = [];
  let before = Number.NEGATIVE_INFINITY;
  const end = (to: number) => {
    const different = new Set(row.map((one) => `${kindOf(one)} ${Object.values(one.params)}`));
    if (row.length >= outageFailures && different.size > outageFailures / 2) {
      const last = Math.max(to, ...row.map(({ doneAt }) => doneAt));
      spans.push({ from: Math.min(before, row[0]?.sentAt ?? 0), to: last });
    }
    row = [];
  };
  for (const one of inOrder) {
    if (hasFailed(one)) row.push(one);
    else {
      end(one.sentAt);
      before = one.doneAt;
    }
  }
  end(Number.POSITIVE_INFINITY);
  return spans;
}

function firstFrom(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
