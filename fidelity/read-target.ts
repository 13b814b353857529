import type { Ask } from '../conformance/client/ask.ts';
import { createClient } from '../conformance/client/client.ts';
import type { Environment } from '../conformance/client/environment.ts';
import { type Exchange, jsonOf, succeeded, valuesOf } from '../conformance/history/exchange.ts';
import { waysToNextPage } from '../conformance/history/pages.ts';
import { errandsOf, reads } from '../conformance/scripts/lawful.ts';
import { deploymentOf } from '../conformance/target/deployment.ts';
import { keysFor } from '../conformance/target/keys.ts';
import { redactionOf } from '../conformance/target/secrets.ts';
import type { Target } from '../spec/files/target.ts';
import type { OperationId } from '../spec/operations.ts';
import { type Recording, recordingOf } from './recording.ts';

interface ReadOptions {
  readonly environment: Environment;
  readonly signal?: AbortSignal | undefined;
  readonly onRead?: (exchange: Exchange) => void;
}

/** A list of labels is followed for so many pages. */
const maxPages = 50;

/**
 * Reads the records that a target file names, and those that their replies name, with the keys that may read them, at the pace of these keys.
 * @returns what was read, and in words what could not be
 * @throws Stopped when the deployment does not reply, or the signal aborts
 */
export async function readTarget(
  target: Target,
  { environment, signal, onRead }: ReadOptions,
): Promise<{ readonly recording: Recording; readonly unread: readonly string[] }> {
  const exchanges: Exchange[] = [];
  const unread: string[] = [];
  for (const tenant of target.tenants) {
    const deployment = deploymentOf({ ...target, tenants: [tenant] });
    const client = createClient({ deployment, environment, redaction: redactionOf(target), signal });
    const keysOf = (id: OperationId) => (deployment.operation(id) ? keysFor(deployment, id) : []);
    const read = async ({ operation, ...ask }: Ask): Promise<Exchange | null> => {
      const [key] = keysOf(operation);
      if (key === undefined) return null;
      const exchange = await client.send({ operation, key, ...ask }, { script: 'read', patient: true });
      exchanges.push(exchange);
      onRead?.(exchange);
      if (!succeeded(exchange))
        unread.push(`${tenant.name}: ${operation} ${ask.params?.id ?? ''} was answered ${exchange.status}`);
      return exchange;
    };
    const asked = new Map<string, Ask>();
    const add = (operation: OperationId, params: Ask['params'] = {}) =>
      asked.set(JSON.stringify([operation, params.id]), { operation, params });
    const shown = reads.filter((id) => id !== 'getHealth' && id !== 'listLabels');
    await readPages(read);
    for (const { operation, place } of errandsOf(deployment, tenant, shown, () => true)) add(operation, place.params);
    // What a reply names is read after the others.
    for (const ask of asked.values()) {
      const exchange = await read(ask);
      if (ask.operation === 'getConversationContext') for (const id of idsIn(exchange, 'sites')) add('getSite', { id });
      if (ask.operation === 'getSite') for (const id of idsIn(exchange, 'clients')) add('getClient', { id });
    }
    for (const id of new Set(['listLabels' as const, ...[...asked.values()].map(({ operation }) => operation)]))
      if (keysOf(id).length === 0) unread.push(`${tenant.name}: no key of the target file may send ${id}`);
    unread.push(`${tenant.name}: labels of sites and of links, which the API shows only to who writes one`);
  }
  const known = { target, kit: '', startedAt: '', allowLeftovers: false };
  const end = { interrupted: false, finishedAt: '', left: [], exercised: [] };
  return { recording: recordingOf({ known, exchanges, hooks: [], skipped: [], ...end }), unread };
}

async function readPages(read: (ask: Ask) => Promise<Exchange | null>): Promise<void> {
  const first = await read({ operation: 'listLabels' });
  if (first === null || !succeeded(first)) return;
  for (const way of waysToNextPage(first)) {
    let page: Exchange = first;
    for (let pages = 1; pages < maxPages; pages++) {
      const query: string | null = way(page);
      const next: Exchange | null = query === null ? null : await read({ operation: 'listLabels', query });
      if (next === null || !succeeded(next) || next.body === page.body) break;
      page = next;
    }
    if (page !== first) return;
  }
}

/** The ids of the records in a list of this name, wherever it stands. */
const idsIn = (exchange: Exchange | null, list: string): string[] =>
  exchange === null || !succeeded(exchange)
    ? []
    : valuesOf(jsonOf(exchange)).flatMap(([path, value]) =>
        path.at(-1) === 'id' && path.at(-3) === list && typeof value === 'string' && value !== '' ? [value] : [],
      );
