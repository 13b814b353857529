import { type RefObject, useLayoutEffect, useRef } from 'react';

/** New rows come in above; what somebody has scrolled down to must not move under their eyes. */
export function useStayWhereRead<Row>(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  heightOf: (row: Row) => number,
): void {
  const last = useRef(rows);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = rows;
    const element = scroller.current;
    if (element === null || before === rows) return;
    const read = rowAt(before, element.scrollTop, heightOf);
    // At the top one sees what comes in.
    if (read === null || read.index === 0) return;
    const now = rows.findIndex((row) => keyOf(row) === keyOf(read.row));
    if (now >= 0) element.scrollTop += topOf(rows, now, heightOf) - read.top;
  }, [rows, scroller, keyOf, heightOf]);
}

function rowAt<Row>(rows: readonly Row[], offset: number, heightOf: (row: Row) => number) {
  let top = 0;
  for (const [index, row] of rows.entries()) {
    const height = heightOf(row);
    if (top + height > offset) return { index, row, top };
    top += height;
  }
  return null;
}

const topOf = <Row>(rows: readonly Row[], index: number, heightOf: (row: Row) => number) =>
  rows.slice(0, index).reduce((sum, row) => sum + heightOf(row), 0);
