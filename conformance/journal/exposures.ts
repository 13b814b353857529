import { type Exchange, succeeded } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { type Holder, holderKey, labelWriteOf } from '../target/holder.ts';
import { knownHolder } from '../target/records.ts';

/** Writes of labels on one record. */
interface Exposure {
  /** That changed it, as far as replies show: they stay in its history in the product. */
  readonly changes: number;
  /** That were refused, or repeated what was so already. */
  readonly others: number;
}

export type Exposures = ReturnType<typeof createExposures>;

const none: Exposure = { changes: 0, others: 0 };

/** What records are exposed to. */
export function createExposures(deployment: Deployment) {
  const all = new Map<string, Exposure>();
  const carried = new Set<string>();
  const of = (record: string) => all.get(record) ?? none;
  return {
    all: all as ReadonlyMap<string, Exposure>,
    /** @param record as `acme conversation ID` */
    of,
    /** Writes to all records with this id. */
    writesTo(holder: Holder) {
      const own = [...all].filter(([record]) => record.endsWith(` ${holderKey(holder)}`));
      return own.reduce((sum, [, { changes, others }]) => sum + changes + others, 0);
    },
    saw(exchange: Exchange) {
      const write = labelWriteOf(exchange.operation, exchange.params);
      const known = write && knownHolder(deployment, write.holder, exchange.key?.split('/')[0]);
      if (!write || !known) return;
      const record = `${known.tenant} ${holderKey(known.holder)}`;
      const label = `${record} ${write.label.toLowerCase()}`;
      const isRepeated = carried.has(label) === (write.act === 'apply');
      // What is lost on its way may have changed it.
      const isChange = !isRepeated && (succeeded(exchange) || exchange.status === null);
      const { changes, others } = of(record);
      all.set(record, isChange ? { changes: changes + 1, others } : { changes, others: others + 1 });
      if (isChange && !carried.delete(label)) carried.add(label);
    },
  };
}
