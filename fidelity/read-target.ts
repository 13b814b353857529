import { createClient } from '../conformance/client/client.ts';
import type { Environment } from '../conformance/client/environment.ts';
import { type Exchange, jsonOf, succeeded, valuesOf } from '../conformance/history/exchange.ts';
import { waysToNextPage } from '../conformance/history/pages.ts';
import { deploymentOf } from '../conformance/target/deployment.ts';
import { keysFor } from '../conformance/target/keys.ts';
import { holdersOf } from '../conformance/target/records.ts';
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
    const keyless = new Set<OperationId>();
    const read = async (operation: OperationId, id?: string, query?: string): Promise<Exchange | null> => {
      const [key] = deployment.operation(operation) === undefined ? [] : keysFor(deployment, operation);
      if (key === undefined) {
        keyless.add(operation);
        return null;
      }
      const ask = {
        operation,
        key,
        ...(id !== undefined && { params: { id } }),
        ...(query !== undefined && { query }),
      };
      const exchange = await client.send(ask, { script: 'read', patient: true });
      exchanges.push(exchange);
      onRead?.(exchange);
      if (!succeeded(exchange)) unread.push(`${tenant.name}: ${operation} ${id ?? ''} was answered ${exchange.status}`);
      return exchange;
    };
    await readPages(read);
    const named = holdersOf(tenant).map(({ holder }) => holder);
    const sites = new Set(
      named.flatMap((one) => (one.kind === 'site' ? one.id : one.kind === 'link' ? one.siteId : [])),
    );
    const clients = new Set(named.flatMap((one) => (one.kind === 'link' ? one.clientId : [])));
    for (const one of named) {
      if (one.kind !== 'conversation') continue;
      await read('getConversation', one.id);
      const context = await read('getConversationContext', one.id);
      for (const id of idsIn(context, 'sites')) sites.add(id);
    }
    for (const id of sites) for (const client of idsIn(await read('getSite', id), 'clients')) clients.add(client);
    for (const id of clients) await read('getClient', id);
    for (const id of keyless) unread.push(`${tenant.name}: no key of the target file may send ${id}`);
    unread.push(`${tenant.name}: labels of sites and of links, which the API shows only to who writes one`);
  }
  const known = { target, kit: '', startedAt: '', allowLeftovers: false };
  const end = { interrupted: false, finishedAt: '', left: [], exercised: [] };
  return { recording: recordingOf({ known, exchanges, hooks: [], skipped: [], ...end }), unread };
}

type Read = (operation: OperationId, id?: string, query?: string) => Promise<Exchange | null>;

async function readPages(read: Read): Promise<void> {
  const first = await read('listLabels');
  if (first === null || !succeeded(first)) return;
  for (const way of waysToNextPage(first)) {
    let page: Exchange = first;
    for (let pages = 1; pages < maxPages; pages++) {
      const query: string | null = way(page);
      const next: Exchange | null = query === null ? null : await read('listLabels', undefined, query);
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
