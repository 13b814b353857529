import { type Ask, Stopped } from '../conformance/client/ask.ts';
import type { Bench } from '../conformance/experiments/bench.ts';
import { type Exchange, jsonOf, succeeded, valuesOf } from '../conformance/history/exchange.ts';
import { memoryJournal } from '../conformance/journal/write-journal.ts';
import type { RunOptions } from '../conformance/run/run.ts';
import { allLabels } from '../conformance/scripts/all-labels.ts';
import { errandsOf, reads } from '../conformance/scripts/lawful.ts';
import { keysFor } from '../conformance/target/deployment.ts';
import { sparesOf } from '../conformance/target/records.ts';
import type { Target, TargetTenant } from '../spec/files/target.ts';
import type { OperationId } from '../spec/operations.ts';
import { type Recording, recordingOf } from './recording.ts';
import { openSide } from './side.ts';

interface ReadOptions extends Pick<RunOptions, 'environment' | 'signal' | 'onExchange'> {}

/**
 * Reads the records that a target file names, and those that their replies name, with the keys that may read them, at the pace of these keys.
 * @returns what was read, and in words what could not be
 * @throws Stopped when the deployment does not reply, or the signal aborts
 */
export async function readTarget(
  target: Target,
  { environment, ...more }: ReadOptions,
): Promise<{ readonly recording: Recording; readonly unread: readonly string[] }> {
  const unread = new Set<string>();
  const options = { ...more, kit: '', readOnly: true, preflight: false };
  const { bench, during, close } = await openSide({ target, environment, journal: memoryJournal() }, options);
  try {
    for (const tenant of target.tenants) await during(readTenant(bench, tenant, unread));
  } finally {
    await close();
  }
  return { recording: recordingOf(await close()), unread: [...unread] };
}

async function readTenant({ scene, deployment }: Bench, tenant: TargetTenant, unread: Set<string>): Promise<void> {
  const may = (id: OperationId) => {
    const isIt = deployment.operation(id) !== undefined && keysFor(deployment, id, tenant).length > 0;
    if (!isIt) unread.add(`${tenant.name}: no key of the target file may send ${id}`);
    return isIt;
  };
  const read = async (ask: Ask): Promise<Exchange> => {
    const [key] = keysFor(deployment, ask.operation, tenant);
    const exchange = await scene.send({ ...ask, ...(key && { key }) });
    if (exchange.status === null) throw new Stopped(exchange.failure ?? 'no reply');
    if (!succeeded(exchange))
      unread.add(`${tenant.name}: ${ask.operation} ${ask.params?.id ?? ''} was answered ${exchange.status}`);
    return exchange;
  };
  const spares = sparesOf(tenant).map(({ id }) => id);
  if (may('listLabels')) await allLabels((odd) => read({ operation: 'listLabels', ...odd?.change }), spares);
  const asked = new Map<string, Ask>();
  const add = (operation: OperationId, params: Ask['params'] = {}) =>
    may(operation) && asked.set(JSON.stringify([operation, params.id]), { operation, params });
  const shown = reads.filter((id) => id !== 'getHealth' && id !== 'listLabels');
  for (const { operation, place } of errandsOf(deployment, tenant, shown, () => true)) add(operation, place.params);
  // What a reply names is read after the others.
  for (const ask of asked.values()) {
    const exchange = await read(ask);
    if (ask.operation === 'getConversationContext') for (const id of idsIn(exchange, 'sites')) add('getSite', { id });
    if (ask.operation === 'getSite') for (const id of idsIn(exchange, 'clients')) add('getClient', { id });
  }
  unread.add(`${tenant.name}: labels of sites and of links, which the API shows only to who writes one`);
}

/** The ids of the records in a list of this name, wherever it stands. */
const idsIn = (exchange: Exchange, list: string): string[] =>
  !succeeded(exchange)
    ? []
    : valuesOf(jsonOf(exchange)).flatMap(([path, value]) =>
        path.at(-1) === 'id' && path.at(-3) === list && typeof value === 'string' && value !== '' ? [value] : [],
      );
