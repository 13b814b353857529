import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { holderKey, type LabelAct, labelWriteOf } from '../../target/holder.ts';
import type { RegisterName } from '../judging/law.ts';
import { lifeName, lives } from './registers/lives.ts';
import { calledIn } from './sets/catalogue.ts';

/** What happened to one label of a record until a reply showed the wrong state. */
interface LabelHistory {
  readonly holder: string;
  readonly label: string;
  readonly steps: readonly LabelStep[];
}

interface LabelStep {
  readonly exchange: Exchange;
  readonly act: LabelAct | 'read';
  /** What was applied or removed; null for a read. */
  readonly label: string | null;
  /** Whether the reply shows the label; null where it does not tell. */
  readonly shows: boolean | null;
}

/** The last steps that fit into a readable picture. */
const maxSteps = 12;

/** The requests about this record from the last correct reply to the wrong one, including requests that were under way at the same time. */
export function labelHistoryOf(
  { tenant, holder, label, since }: RegisterName,
  wrong: Exchange,
  history: History,
): LabelHistory {
  const life = lives(history).get(lifeName(tenant, holder));
  const from = since?.sentAt ?? wrong.sentAt;
  const showings = new Map(life?.showings.map((showing) => [showing.exchange, showing]));
  const exchanges = [...new Set([...(life?.writes.map(({ exchange }) => exchange) ?? []), ...showings.keys()])]
    .filter(({ sentAt, doneAt }) => doneAt >= from && sentAt <= wrong.doneAt)
    .sort((a, b) => a.n - b.n);
  return {
    holder: `${holderKey(holder)} of ${tenant}`,
    label: calledIn(history, tenant, label),
    steps: exchanges.slice(-maxSteps).map((exchange): LabelStep => {
      const write = labelWriteOf(exchange.operation, exchange.params);
      const showing = showings.get(exchange);
      const isConclusive = showing !== undefined && (showing.labels.has(label) || showing.recognises(label));
      return {
        exchange,
        act: write?.act ?? 'read',
        label: write && calledIn(history, tenant, write.label.toLowerCase()),
        shows: isConclusive ? showing.labels.has(label) : null,
      };
    }),
  };
}
