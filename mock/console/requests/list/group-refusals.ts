import type { Exchange } from '../../control/control-types.ts';

/** Fewer are as quickly read one by one. */
const fewest = 3;

export type JournalRow =
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  /** Refused alike, one after the other; newest first. */
  | { readonly kind: 'group'; readonly id: number; readonly exchanges: readonly Exchange[]; readonly open: boolean };

const alike = (a: Exchange, b: Exchange) =>
  a.refused !== null &&
  a.refused === b.refused &&
  a.why === b.why &&
  a.reply.status === b.reply.status &&
  a.tenant === b.tenant &&
  a.key === b.key &&
  a.operationId === b.operationId &&
  (a.operationId !== null || a.request.url === b.request.url);

/**
 * The rows of the list: equal refusals that follow each other are one row, and those behind it are shown when it is open.
 * A group keeps its id, that of its oldest exchange, while it grows.
 * @param exchanges newest first
 */
export function groupRefusals(exchanges: readonly Exchange[], open: ReadonlySet<number>): JournalRow[] {
  const rows: JournalRow[] = [];
  for (let start = 0; start < exchanges.length; ) {
    const first = exchanges[start] as Exchange;
    let end = start + 1;
    while (end < exchanges.length && alike(first, exchanges[end] as Exchange)) end++;
    const run = exchanges.slice(start, end);
    const id = run.at(-1)?.id ?? first.id;
    const grouped = run.length >= fewest;
    if (grouped) rows.push({ kind: 'group', id, exchanges: run, open: open.has(id) });
    if (!grouped || open.has(id)) rows.push(...run.map((exchange) => ({ kind: 'exchange' as const, exchange })));
    start = end;
  }
  return rows;
}
