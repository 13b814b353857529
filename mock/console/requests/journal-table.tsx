import { useVirtualizer } from '@tanstack/react-virtual';
import { type ComponentProps, type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { durationInWords } from '../../../spec/text/time-in-words.ts';
import type { Exchange } from '../control/control.ts';
import type { RecordNames } from '../control/reads.ts';
import { useListener } from '../control/use-listener.ts';
import { hrefWith, replaceParams } from '../navigation/route.ts';
import { InlineCode, Instant, Method, StatusBadge } from '../parts/text.tsx';
import { withShortIds } from '../parts/words.ts';
import { Only } from './filter-bar.tsx';
import { groupEqual, type JournalRow, newestOf, reasonOf } from './group-equal.ts';
import { subjectsOf } from './subjects-of.ts';

/** In pixels, as in the style sheet: a row, and one with the reason of a refusal below it. They turn out higher where something wraps. */
const heights = { wide: [36, 60], compact: [54, 78] } as const;

type JournalTableProps = { exchanges: readonly Exchange[]; names: RecordNames; openId: number | null };

const keyOf = (row: JournalRow) => (row.kind === 'group' ? `group ${row.id}` : String(row.exchange.id));

/** The table of exchanges, newest first. Only the rows in view are in the document, but all when it is printed. */
export function JournalTable({ exchanges, names, openId }: JournalTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [groups, setGroups] = useState<ReadonlySet<number>>(new Set());
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const focusNext = useRef(false);
  const looked = useRef<number | null>(null);
  const broughtInSight = useRef('');
  const printing = usePrinting();
  // Where there is no room for all columns, the others stand below the request. A list that gets another width is drawn again.
  const form = openId !== null || innerWidth < 1_280 ? 'compact' : 'wide';
  const [rowHeight, tallRowHeight] = heights[form];
  const list = useMemo(() => groupEqual(exchanges, groups), [exchanges, groups]);
  const rows = useVirtualizer({
    count: list.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (reasonOf(list[index] as JournalRow) === null ? rowHeight : tallRowHeight),
    // What was measured holds for one form only.
    getItemKey: (index) => form + keyOf(list[index] as JournalRow),
    overscan: 10,
    // The head of the table takes the place of a row.
    scrollPaddingEnd: rowHeight,
    // New rows push the others down at the top of the list only; elsewhere what is read stays where it is.
    anchorTo: (scroller.current?.scrollTop ?? 0) > rowHeight ? 'end' : 'start',
  });
  const openKey = openId === null ? null : String(openId);
  // Looking through ten thousand rows takes a while.
  const indexOf = (key: string | null) => (key === null ? -1 : list.findIndex((row) => keyOf(row) === key));
  const active = Math.max(0, indexOf(activeKey ?? openKey));
  useLayoutEffect(() => {
    const opener = scroller.current?.querySelector<HTMLElement>(`[data-row="${activeKey}"] .opens`);
    if (!focusNext.current || opener == null) return;
    focusNext.current = false;
    opener.focus({ preventScroll: true });
  });
  // The request whose details were opened last, as by its address, comes in sight once, out of its group, and again when rows get another height.
  useLayoutEffect(() => {
    looked.current = openId ?? looked.current;
    const id = looked.current;
    if (id === null || broughtInSight.current === form + id) return;
    const index = indexOf(String(id));
    const group = index < 0 && list.find((row) => row.kind === 'group' && row.exchanges.some((each) => each.id === id));
    if (openId !== null && group && group.kind === 'group') setGroups(new Set(groups).add(group.id));
    if (index < 0) return;
    broughtInSight.current = form + id;
    rows.scrollToIndex(index, { align: activeKey === null ? 'center' : 'auto' });
  });

  const move = (event: KeyboardEvent) => {
    const last = list.length - 1;
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: last }[event.key];
    const index = Math.min(last, Math.max(0, to ?? 0));
    const next = list[index];
    if (to === undefined || next === undefined) return;
    event.preventDefault();
    focusNext.current = true;
    setActiveKey(keyOf(next));
    rows.scrollToIndex(index);
    // If the details are open, they follow the active row.
    if (openId === null) return;
    broughtInSight.current = form + newestOf(next).id;
    replaceParams({ id: String(newestOf(next).id) });
  };
  const toggle = (group: number) => {
    const next = new Set(groups);
    if (!next.delete(group)) next.add(group);
    setGroups(next);
    setActiveKey(`group ${group}`);
  };

  const inView = rows.getVirtualItems();
  const [above, below] = [inView[0]?.start ?? 0, rows.getTotalSize() - (inView.at(-1)?.end ?? 0)];
  // Nobody reads more on paper.
  const shown = printing ? list.slice(0, 200).map((_, index) => ({ index })) : inView;
  // If the active row is out of view, the first visible row takes its place in the tab order.
  const reachable = inView.some(({ index }) => index === active) ? active : inView[0]?.index;
  return (
    <div className={printing ? undefined : `card journal ${form}`} ref={scroller}>
      <table className="exchanges" aria-rowcount={list.length + 1} aria-label="Requests, newest first">
        <thead>
          <tr aria-rowindex={1}>
            {['Time, UTC', 'Status', 'Request', 'About', 'Key', 'Took'].map((name) => (
              <th key={name} scope="col" className={name === 'Took' ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {/* Its edges stand for the rows that are not in view. */}
        <tbody style={printing ? undefined : { paddingBlock: `${above}px ${below}px` }}>
          {shown.map(({ index }) => {
            const row = list[index] as JournalRow;
            const key = keyOf(row);
            return (
              <Row
                key={key}
                row={row}
                names={names}
                position={index + 1}
                openId={openId}
                ref={printing ? undefined : rows.measureElement}
                onToggle={toggle}
                opener={{
                  tabIndex: index === reachable ? 0 : -1,
                  onKeyDown: move,
                  onFocus: () => setActiveKey(key),
                }}
              />
            );
          })}
        </tbody>
      </table>
      {list.length > shown.length && printing && (
        <p>
          {(list.length - shown.length).toLocaleString()} older ones are not printed. Filter the list to print them.
        </p>
      )}
    </div>
  );
}

const print = matchMedia('print');

/** Whether the page is being printed. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  // The browser takes the page as it is when the listeners have returned.
  const turn = ({ type }: Event) => flushSync(() => setPrinting(type === 'beforeprint' || print.matches));
  useListener('beforeprint afterprint', turn);
  useListener('change', turn, print);
  return printing;
}

interface RowProps extends Pick<ComponentProps<'tr'>, 'ref'> {
  readonly row: JournalRow;
  readonly names: RecordNames;
  /** Counts from 1, without the header row. */
  readonly position: number;
  readonly openId: number | null;
  /** Opens or folds a group. */
  readonly onToggle: (group: number) => void;
  /** Of the link or button that opens the row. */
  readonly opener: Pick<ComponentProps<'a'>, 'tabIndex'> & {
    readonly onKeyDown: (event: KeyboardEvent) => void;
    readonly onFocus: () => void;
  };
}

/** One row of the list: an exchange, or a group of equal ones. */
function Row({ row, names, position, openId, ref, onToggle, opener }: RowProps) {
  const exchange = newestOf(row);
  const { id, at, reply, tenant, key } = exchange;
  const why = reasonOf(row);
  const isGroup = row.kind === 'group';
  const isOpen = id === openId && !(isGroup && row.open);
  const records = subjectsOf(exchange, names);
  const title = records.map(({ name, id }) => (name ? `${name} ${id}` : id)).join('\n') || undefined;
  const opens = { className: 'opens', title, ...opener };
  return (
    <tr
      ref={ref}
      data-index={position - 1}
      aria-rowindex={position + 1}
      data-row={keyOf(row)}
      data-state={isOpen ? 'marked' : undefined}
      data-exchange={isGroup ? undefined : id}
    >
      <td className="whole">
        <Instant at={at} clock />
      </td>
      <td className="whole">
        <Only values={{ status: String(reply.status) }} tabIndex={-1}>
          <StatusBadge {...reply} wrong={exchange.breaks !== null} />
        </Only>
      </td>
      <td>
        {isGroup ? (
          <button type="button" aria-expanded={row.open} onClick={() => onToggle(row.id)} {...opens}>
            <span className="on-screen" aria-hidden="true">
              {row.open ? '▾' : '▸'}{' '}
            </span>
            <strong>{row.exchanges.length} ×</strong> <Summary {...exchange} isOfMany />{' '}
            <span className="quiet">since {row.exchanges.at(-1)?.at.slice(11, 19)}</span>
          </button>
        ) : (
          <a href={hrefWith({ id: String(id) })} aria-current={isOpen || undefined} {...opens}>
            <Summary {...exchange} />
          </a>
        )}
        {why !== null && (
          <div className={exchange.breaks ? 'why wrong' : 'why'}>
            <InlineCode text={why} />
          </div>
        )}
      </td>
      {/* The last one, such as a label, says most. */}
      <td>
        {records
          .map(({ name, short }) => name ?? short)
          .toReversed()
          .join(' · ')}
      </td>
      <td>{key === null ? <span className="quiet">–</span> : <Only values={{ tenant, key }} tabIndex={-1} />}</td>
      <td className="number">{isGroup ? '' : durationInWords(exchange.milliseconds + reply.delay)}</td>
    </tr>
  );
}

/** The operation, or the path if it belongs to none. The details show long queries, such as signatures, and those of a group. */
function Summary({ operationId, request, reply, passedTo, fault, isOfMany }: Exchange & { isOfMany?: boolean }) {
  const [path = '', query] = request.url.split('?', 2);
  return (
    <>
      <Method method={request.method} /> <span className="what">{operationId ?? withShortIds(path)}</span>{' '}
      {passedTo !== null && <span className="badge">deployment</span>}
      {fault !== null && reply.delay > 0 && <span className="badge warn">delayed</span>}
      {query !== undefined && <span className="quiet">?{isOfMany || query.length > 60 ? '…' : query}</span>}
    </>
  );
}
