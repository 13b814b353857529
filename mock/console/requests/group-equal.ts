import type { Exchange } from '../control/control.ts';

/** Two equal rows are read as quickly as one group. */
const minGroupSize = 3;

export type JournalRow =
  | { readonly kind: 'exchange'; readonly exchange: Exchange; readonly grouped: boolean }
  /** Equal refusals in a row, newest first. */
  | { readonly kind: 'group'; readonly id: number; readonly exchanges: readonly Exchange[]; readonly open: boolean };

/** The exchange that a row shows. */
export const newestOf = (row: JournalRow) => (row.kind === 'group' ? (row.exchanges[0] as Exchange) : row.exchange);

/** What a row says of its exchanges: for a group not their addresses, where those differ. */
export function shownBy(row: JournalRow): Exchange {
  const newest = newestOf(row);
  const isOne = (each: Exchange) => each.request.url === newest.request.url;
  if (row.kind === 'exchange' || row.exchanges.every(isOne)) return newest;
  return { ...newest, request: { ...newest.request, url: '' } };
}

/** The reason that a row shows. In an open group only the group itself does. */
export const reasonOf = (row: JournalRow) => (row.kind === 'exchange' && row.grouped ? null : newestOf(row).why);

const areEqual = (a: Exchange, b: Exchange) =>
  a.refused !== null &&
  a.refused === b.refused &&
  a.why === b.why &&
  a.reply.status === b.reply.status &&
  a.tenant === b.tenant &&
  a.key === b.key &&
  a.operationId === b.operationId &&
  (a.operationId !== null || a.request.url === b.request.url);

/**
 * The rows of the list. Equal refusals in a row form a group, whose exchanges are listed below it when it is open. The id
 * of a group is that of its oldest exchange, so that it stays the same while the group grows.
 * @param exchanges newest first
 */
export function groupRefusals(exchanges: readonly Exchange[], open: ReadonlySet<number>): JournalRow[] {
  const rows: JournalRow[] = [];
  for (let start = 0; start < exchanges.length; ) {
    const first = exchanges[start] as Exchange;
    let end = start + 1;
    while (end < exchanges.length && areEqual(first, exchanges[end] as Exchange)) end++;
    const run = exchanges.slice(start, end);
    const id = run.at(-1)?.id ?? first.id;
    const grouped = run.length >= minGroupSize;
    if (grouped) rows.push({ kind: 'group', id, exchanges: run, open: open.has(id) });
    if (!grouped || open.has(id))
      rows.push(...run.map((exchange) => ({ kind: 'exchange' as const, exchange, grouped })));
    start = end;
  }
  return rows;
}
