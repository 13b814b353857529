import { type Exchange, succeeded } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { type Holder, holderKey, labelWriteOf } from '../target/holder.ts';
import { knownHolder } from '../target/records.ts';

export type Exposures = ReturnType<typeof createExposures>;

/** Writes of labels on a record: changes, as far as replies show, which stay in its history in the product, and those that were refused or repeated. */
const none = { changes: 0, others: 0 };

/** What records are exposed to. */
export function createExposures(deployment: Deployment) {
  const all = new Map<string, typeof none>();
  const carried = new Set<string>();
  const of = (record: string) => all.get(record) ?? none;
  return {
    all: all as ReadonlyMap<string, Readonly<typeof none>>,
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
