import { isUnavailable } from '../contract/judge.ts';
import { outage } from '../experiments/numbers.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';

/** Says of an exchange whether everything else that was asked lawfully around it was refused or failed as well, so that it proves nothing. */
export function outagesAmong(lawful: readonly Exchange[]): (exchange: Exchange) => boolean {
  const inOrder = lawful.toSorted((a, b) => a.sentAt - b.sentAt);
  const times = inOrder.map(({ sentAt }) => sentAt);
  return (exchange) => {
    const from = firstFrom(times, exchange.sentAt - outage);
    let others = 0;
    for (let i = from; i < inOrder.length; i++) {
      const other = inOrder[i] as Exchange;
      if (other.sentAt > exchange.doneAt + outage) break;
      if (other.operation === exchange.operation && other.key === exchange.key) continue;
      if (succeeded(other)) return false;
      others++;
    }
    return others > 0;
  };
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

/** Whether the request got no answer that says anything. */
export const isLost = isUnavailable;
