import type { Exchange } from '../control/control.ts';

/** Two equal rows are read as quickly as one group. */
const minGroupSize = 3;

export type JournalRow =
  | { readonly kind: 'exchange'; readonly exchange: Exchange; readonly grouped: boolean }
  /** Equal exchanges one after another, newest first. */
  | { readonly kind: 'group'; readonly id: number; readonly exchanges: readonly Exchange[]; readonly open: boolean };

/** The exchange that a row shows. */
export const newestOf = (row: JournalRow) => (row.kind === 'group' ? (row.exchanges[0] as Exchange) : row.exchange);

/** The reason that a row shows. In an open group only the group itself does. */
export const reasonOf = (row: JournalRow) => (row.kind === 'exchange' && row.grouped ? null : newestOf(row).why);

/** All that a row and its details tell of an exchange, except its time, duration and headers, and the query of a refused one. */
const toldOf = ({ tenant, key, why, fault, passedTo, request, reply }: Exchange) => [
  ...[
    tenant,
    key,
    why,
    fault,
    passedTo,
    request.method,
    why === null ? request.url : request.url.split('?', 1)[0],
    request.body?.text,
  ],
  ...[reply.status, reply.broken, reply.body?.text],
];

/**
 * The rows of the list. Equal exchanges one after another form a group, whose exchanges are listed below it when it is open. The id
 * of a group is that of its oldest exchange, so that it stays the same while the group grows.
 * @param exchanges newest first
 */
export function groupEqual(exchanges: readonly Exchange[], open: ReadonlySet<number>): JournalRow[] {
  const rows: JournalRow[] = [];
  for (let start = 0; start < exchanges.length; ) {
    const first = exchanges[start] as Exchange;
    const told = toldOf(first);
    let end = start + 1;
    while (end < exchanges.length && toldOf(exchanges[end] as Exchange).every((part, i) => part === told[i])) end++;
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
