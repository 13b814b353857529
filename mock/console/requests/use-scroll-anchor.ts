import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Keeps the rows in view where they are when new rows are added above them. */
export function useScrollAnchor<Row>(
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
    // At the top of the list new rows may push the others down.
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
