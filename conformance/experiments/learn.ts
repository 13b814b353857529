/** Learns where the replies about a record show labels, from a sequence of writes that has two labels to go by, and what the record carries. */
import type { TargetTenant } from '../../spec/files/target.ts';
import type { OperationId } from '../../spec/operations.ts';
import { isUnavailable } from '../contract/judge.ts';
import { open } from '../contract/request.ts';
import { type Exchange, jsonOf, succeeded } from '../history/exchange.ts';
import type { LabelAct } from '../target/holder.ts';
import { type KnownHolder, type NamedLabel, sparesOf } from '../target/records.ts';
import type { Bench } from './bench.ts';
import { learnView, type Observation, tokensIn, type View } from './places.ts';
import { context, recordKey, Shelf } from './shelf.ts';
import { nothingThere, operationsIn } from './there.ts';

const apply = (label: string): [LabelAct, string] => ['apply', label];
const remove = (label: string): [LabelAct, string] => ['remove', label];

const writesFor = (x: string, y: string | undefined) =>
  y === undefined
    ? [remove(x), apply(x), remove(x), apply(x), remove(x)]
    : [remove(x), remove(y), apply(x), apply(y), remove(x), apply(x), remove(y), remove(x), apply(y), remove(y)];

/** The shelf of a record, learned when a script first asks for it. */
export const shelfOf = (b: Bench, known: KnownHolder, tenant: TargetTenant): Promise<Shelf> =>
  b.once(b.state.shelves, recordKey(known), () => learn(b, new Shelf(known, tenant, b.scene.planning)));

async function learn(b: Bench, shelf: Shelf): Promise<Shelf> {
  const [x, y] = shelf.spares.map(({ id }) => id);
  if (x === undefined || !shelf.isUsable(b)) return shelf;
  const observed: Exchange[] = [];
  const readContext = async () => {
    if (shelf.known.holder.kind !== 'conversation' || shelf.keys(b, context).length === 0) return;
    const request = { operation: context, who: shelf.nextKey(b, context), place: shelf.place } as const;
    observed.push(await b.send(request, { step: shelf.step('learn', null) }));
  };
  await readContext();
  for (const [act, label] of writesFor(x, y)) {
    const after = shelf.after(act, label);
    const exchange = await b.send(shelf.request(b, act, label), { step: shelf.step('learn', null, after) });
    observed.push(exchange);
    // Nothing is put on that cannot be taken off again.
    if (act === 'remove' && !b.has(shelf.operation(act)) && !(await isAnswered(b, exchange))) return shelf;
    if (succeeded(exchange)) shelf.carried = after;
    if (shelf.known.holder.kind === 'conversation')
      await b.sleep(Math.max(b.deployment.settleMilliseconds, b.state.lag));
    await readContext();
  }
  const { views, foreign } = conclude(observed, shelf.spares);
  for (const [operation, view] of views) shelf.views.set(operation, view);
  for (const [operation, tokens] of foreign) shelf.foreign.set(operation, tokens);
  return shelf;
}

/** Whether a removal that was refused was refused by the operation: a path below it, where nothing is, is answered otherwise. */
async function isAnswered(b: Bench, removal: Exchange): Promise<boolean> {
  const request = b.state.requests.get(removal);
  if (request === undefined) return false;
  const path = `${removal.url.slice(b.deployment.baseUrl.length)}/x`;
  const nothing = await b.send({ ...request, change: open(nothingThere, { path }) });
  const again = isUnavailable(removal) ? [await b.send(request)] : [];
  const isThere = operationsIn([removal, ...again, nothing], b.deployment)(request.operation);
  if (isThere) b.state.served.add(request.operation);
  return isThere;
}

/** What the replies of the learning writes say: where each operation shows labels, and which other labels were there last. */
export interface Learned {
  readonly views: ReadonlyMap<OperationId, View>;
  readonly foreign: ReadonlyMap<OperationId, ReadonlySet<string>>;
}

/** A pure function of these exchanges, so that a history is judged again without a network. */
function conclude(exchanges: readonly Exchange[], spares: readonly NamedLabel[]): Learned {
  const views = new Map<OperationId, View>();
  const foreign = new Map<OperationId, ReadonlySet<string>>();
  const observations = (all: readonly Exchange[]): Observation[] =>
    all.filter(succeeded).map((one) => ({ json: jsonOf(one), carried: new Set(one.step?.carries) }));
  const byOperation = Map.groupBy(exchanges, ({ operation }) => operation as OperationId);
  // Replies to both writes mostly have one form, and only together they show a label both on and off.
  const writes = observations(exchanges.filter(({ operation }) => operation !== context));
  const together = learnView(writes, spares);
  const isOneForm =
    together !== null && writes.every(({ json }) => tokensIn(together, json)?.every((token) => token !== ''));
  for (const [operation, all] of byOperation) {
    const own = observations(all);
    const joint = operation !== context && isOneForm ? together : null;
    const view = joint ?? learnView(own, spares) ?? usual(operation, own, spares);
    if (view === null) continue;
    views.set(operation, view);
    const named = new Set(view.tokens.values());
    const last = tokensIn(view, own.at(-1)?.json) ?? [];
    foreign.set(operation, new Set(last.filter((token) => !named.has(token))));
  }
  return { views, foreign };
}

/** Where the contract assumes labels, for replies that no place explains. */
function usual(
  operation: OperationId,
  observations: readonly Observation[],
  spares: readonly NamedLabel[],
): View | null {
  const isContext = operation === context;
  const place = { at: ['labels'], pick: isContext ? [] : ['id'] };
  if (!observations.some(({ json }) => tokensIn(place, json)?.some((token) => token !== ''))) return null;
  const tokens = new Map(spares.map(({ id, name = id }) => [id, (isContext ? name : id).toLowerCase()]));
  return new Set(tokens.values()).size < tokens.size ? null : { ...place, tokens };
}

/** What is learned of each record of a history. */
export const learnedIn = (
  exchanges: readonly Exchange[],
  tenants: readonly TargetTenant[],
): ReadonlyMap<string, Learned> =>
  new Map(
    [...Map.groupBy(exchanges, (one) => (one.step?.part === 'learn' ? one.step.record : ''))].flatMap(
      ([record, all]): [string, Learned][] => {
        const tenant = tenants.find(({ name }) => record.startsWith(`${name} `));
        return tenant === undefined ? [] : [[record, conclude(all, sparesOf(tenant))]];
      },
    ),
  );
