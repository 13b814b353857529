/** Learns where replies about a record show its labels, by writes whose effect is known. */
import type { TargetTenant } from '../../spec/files/target.ts';
import { isUnavailable } from '../contract/judge.ts';
import { belowId, open } from '../contract/request.ts';
import type { Exchange } from '../history/exchange.ts';
import { lags } from '../numbers.ts';
import type { LabelAct } from '../target/holder.ts';
import type { KnownHolder } from '../target/records.ts';
import type { Bench } from './bench.ts';
import { context, RecordModel } from './model.ts';
import { RecordUnderTest, recordKey } from './record.ts';
import { answeringIn } from './there.ts';
import { learned } from './views.ts';

/** The record, once it is learned where the replies about it show labels. The first script that asks for it learns it. */
export const recordOf = (b: Bench, known: KnownHolder, tenant: TargetTenant): Promise<RecordUnderTest> =>
  b.once(b.state.records, recordKey(known), () => learn(b, new RecordUnderTest(known, tenant)));

/** Writes that have two labels to go by, each of them on and off. */
const learningWrites = (x: string, y: string | undefined): readonly (readonly [LabelAct, string])[] => {
  const [put, take] = [(label: string) => ['apply', label] as const, (label: string) => ['remove', label] as const];
  return y === undefined
    ? [take(x), put(x), take(x), put(x), take(x)]
    : [take(x), take(y), put(x), put(y), take(x), put(x), take(y), take(x), put(y), take(y)];
};

async function learn(b: Bench, record: RecordUnderTest): Promise<RecordUnderTest> {
  const [x, y] = record.spares.map(({ id }) => id);
  const isUsable = (['apply', 'remove'] as const)
    .map(record.operation)
    .every((one) => record.keys(b, one).length > 0 && b.deployment.operation(one));
  if (x === undefined || !isUsable) return record;
  const isConversation = record.known.holder.kind === 'conversation';
  const observed: Exchange[] = [];
  const readContext = async () => {
    if (!isConversation || record.keys(b, context).length === 0) return;
    const request = { operation: context, who: record.nextKey(b, context), place: record.place } as const;
    observed.push((await record.send(b, request, { part: 'learn' })).exchange);
  };
  await readContext();
  for (const [act, label] of learningWrites(x, y)) {
    const exchange = await record.write(b, act, label, 'learn');
    observed.push(exchange);
    // Nothing is put on that cannot be taken off again.
    if (act === 'remove' && !b.has(record.operation(act)) && !(await isAnswered(b, exchange))) return record;
    if (isConversation) await b.sleep(Math.max(b.deployment.settleMilliseconds, b.state.lag));
    await readContext();
  }
  record.model = new RecordModel(learned(observed, record.spares));
  return record;
}

/** Whether a removal that was refused was refused by the operation: a path below it, where nothing is, is answered otherwise. */
async function isAnswered(b: Bench, removal: Exchange): Promise<boolean> {
  const request = b.state.requests.get(removal);
  if (request === undefined) return false;
  const path = `${removal.url.slice(b.deployment.baseUrl.length)}/x`;
  let last = removal;
  // A front that has lost its service answers like a router, for some seconds.
  for (const wait of [0, ...lags.slice(0, 3)]) {
    await b.sleep(wait);
    if (wait > 0) last = await b.send(request);
    const below = await b.send({ ...request, change: open(belowId, { path }) });
    const again = isUnavailable(last) ? [await b.send(request)] : [];
    if (answeringIn([last, ...again, below]).has(request.operation)) b.state.answering.add(request.operation);
    if (b.has(request.operation)) break;
  }
  return b.has(request.operation);
}
