import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Exchange } from '../control/control-types.ts';
import { ExchangeRow } from './exchange-row.tsx';

/** In pixels; the style sheet holds every row to it. */
const rowHeight = 36;

interface JournalTableProps {
  /** Newest first. */
  readonly exchanges: readonly Exchange[];
  readonly openId: number | null;
}

/** The list of exchanges: a table of which only what is in view is in the document. */
export function JournalTable({ exchanges, openId }: JournalTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [activeId, setActiveId] = useState<number | null>(null);
  const focusNext = useRef(false);
  const rows = useVirtualizer({
    count: exchanges.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => exchanges[index]?.id ?? index,
    overscan: 10,
  });

  useStayWhereRead(scroller, exchanges);

  const found = exchanges.findIndex(({ id }) => id === (activeId ?? openId));
  const active = Math.max(0, found);
  useLayoutEffect(() => {
    if (!focusNext.current) return;
    const link = scroller.current?.querySelector<HTMLElement>(`[data-exchange="${activeId}"] a`);
    if (link == null) return;
    focusNext.current = false;
    link.focus({ preventScroll: true });
  });

  const move = (event: KeyboardEvent) => {
    const last = exchanges.length - 1;
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: last }[event.key];
    const next = to === undefined ? undefined : exchanges[Math.min(last, Math.max(0, to))];
    if (to === undefined || next === undefined) return;
    event.preventDefault();
    focusNext.current = true;
    setActiveId(next.id);
    rows.scrollToIndex(Math.min(last, Math.max(0, to)));
  };

  const shown = rows.getVirtualItems();
  const before = shown[0]?.start ?? 0;
  const after = rows.getTotalSize() - (shown.at(-1)?.end ?? 0);
  // When the active row is out of view the first one that is in view stands in for it.
  const reachable = shown.some(({ index }) => index === active) ? active : shown[0]?.index;
  return (
    <div className="journal" ref={scroller}>
      <table aria-rowcount={exchanges.length + 1} aria-label="Requests, newest first">
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className="col-time">
              Time
            </th>
            <th scope="col" className="col-status">
              Status
            </th>
            <th scope="col" className="col-request">
              Request
            </th>
            <th scope="col" className="col-key">
              Key
            </th>
            <th scope="col" className="col-why">
              Why refused
            </th>
          </tr>
        </thead>
        <tbody style={{ paddingTop: before, paddingBottom: after }}>
          {shown.map(({ index, key }) => {
            const exchange = exchanges[index];
            if (exchange === undefined) return null;
            return (
              <ExchangeRow
                key={key}
                exchange={exchange}
                position={index + 1}
                open={exchange.id === openId}
                reachable={index === reachable}
                onKeyDown={move}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** New exchanges come in above; what somebody has scrolled down to must not move under their eyes. */
function useStayWhereRead(scroller: React.RefObject<HTMLDivElement | null>, exchanges: readonly Exchange[]): void {
  const newest = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    const was = newest.current;
    newest.current = exchanges[0]?.id;
    if (element === null || was === undefined || element.scrollTop < rowHeight) return;
    const added = exchanges.findIndex(({ id }) => id === was);
    if (added > 0) element.scrollTop += added * rowHeight;
  }, [exchanges, scroller]);
}
