import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Exchange } from '../control/control-types.ts';
import type { RecordNames } from '../control/reads.ts';
import { replaceParams } from '../navigation/route.ts';
import { groupRefusals, type JournalRow, newestOf } from './group-refusals.ts';
import { JournalRowView } from './journal-row.tsx';

/** In pixels, like the row height in the style sheet. */
const rowHeight = 36;
/** The height of a row with the reason of a refusal on a second line. */
const tallRowHeight = 60;

/** The columns with their names in the style sheet. */
const columns = { 'Time, UTC': 'col-time', Status: 'col-status', Request: '', Key: 'col-key', Took: 'col-took' };

interface JournalTableProps {
  /** Newest first. */
  readonly exchanges: readonly Exchange[];
  readonly names: RecordNames;
  readonly openId: number | null;
}

const keyOf = (row: JournalRow) => (row.kind === 'group' ? `group ${row.id}` : String(row.exchange.id));
const rowSelector = (key: string | null) =>
  key?.startsWith('group ') ? `[data-group="${key.slice(6)}"]` : `[data-exchange="${key}"]`;
const heightOf = (row: JournalRow) => (newestOf(row).why === null ? rowHeight : tallRowHeight);

/** The table of exchanges. Only the rows in view are in the document. */
export function JournalTable({ exchanges, names, openId }: JournalTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [groups, setGroups] = useState<ReadonlySet<number>>(new Set());
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const focusNext = useRef(false);
  const broughtInSight = useRef<number | null>(null);
  const list = useMemo(() => groupRefusals(exchanges, groups), [exchanges, groups]);
  const rows = useVirtualizer({
    count: list.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(list[index] as JournalRow),
    getItemKey: (index) => keyOf(list[index] as JournalRow),
    overscan: 10,
    // New rows push the others down at the top of the list only; elsewhere what is read stays where it is.
    anchorTo: (scroller.current?.scrollTop ?? 0) > rowHeight ? 'end' : 'start',
  });

  const wanted = activeKey ?? String(openId);
  const active = Math.max(
    0,
    list.findIndex((row) => keyOf(row) === wanted),
  );
  useLayoutEffect(() => {
    if (!focusNext.current) return;
    const link = scroller.current?.querySelector<HTMLElement>(`${rowSelector(activeKey)} .opens`);
    if (link == null) return;
    focusNext.current = false;
    link.focus({ preventScroll: true });
  });

  // The request whose details were opened elsewhere, as by its address, comes in sight once.
  useLayoutEffect(() => {
    const index = list.findIndex((row) => keyOf(row) === String(openId));
    if (index < 0 || broughtInSight.current === openId) return;
    broughtInSight.current = openId;
    rows.scrollToIndex(index);
  });

  const move = (event: KeyboardEvent) => {
    const last = list.length - 1;
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    const index = Math.min(last, Math.max(0, to));
    const next = list[index];
    if (next === undefined) return;
    event.preventDefault();
    focusNext.current = true;
    setActiveKey(keyOf(next));
    rows.scrollToIndex(index);
    // If the details are open, they follow the active row.
    if (openId !== null) replaceParams({ id: String(newestOf(next).id) });
  };
  const toggle = (group: number) => {
    const next = new Set(groups);
    if (!next.delete(group)) next.add(group);
    setGroups(next);
    setActiveKey(`group ${group}`);
  };

  const shown = rows.getVirtualItems();
  const before = shown[0]?.start ?? 0;
  const after = rows.getTotalSize() - (shown.at(-1)?.end ?? 0);
  // If the active row is out of view, the first visible row takes its place in the tab order.
  const reachable = shown.some(({ index }) => index === active) ? active : shown[0]?.index;
  return (
    <div className="journal" ref={scroller}>
      <table aria-rowcount={list.length + 1} aria-label="Requests, newest first">
        <thead>
          <tr aria-rowindex={1}>
            {Object.entries(columns).map(([name, kind]) => (
              <th key={name} scope="col" className={kind}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space height={before} />
          {shown.map(({ index, key }) => (
            <JournalRowView
              key={key}
              row={list[index] as JournalRow}
              names={names}
              position={index + 1}
              openId={openId}
              onToggle={toggle}
              opener={{
                tabIndex: index === reachable ? 0 : -1,
                onKeyDown: move,
                onFocus: () => setActiveKey(String(key)),
              }}
            />
          ))}
          <Space height={after} />
        </tbody>
      </table>
    </div>
  );
}

/** Stands for the rows above or below those in view. */
const Space = ({ height }: { readonly height: number }) => (
  <tr>
    <td style={{ height, border: 0 }} />
  </tr>
);
