import type { ReactNode } from 'react';
import { Folded } from './text.tsx';

/** A column of a table. The cells of the first one are the headers of their rows. */
export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** Stands below it in small letters. */
  readonly under?: (row: Row) => ReactNode;
  /** `whole` does not break, `actions` holds buttons and has a name for screen readers only. */
  readonly kind?: 'whole' | 'number' | 'actions';
}

interface TableProps<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  /** `marked` for the row that is chosen or new, `over` for one that counts no more. */
  readonly stateOf?: (row: Row) => 'marked' | 'over' | undefined;
  /** Shown in place of a table without rows. */
  readonly none?: ReactNode;
  /** Which rows count less. They are folded below their title. */
  readonly less?: readonly [title: string, is: (row: Row) => boolean];
}

/** A table. On a narrow screen each row is a card that names its values. */
export function Table<Row>({ less, none, ...table }: TableProps<Row>) {
  const { columns, keyOf, stateOf } = table;
  const folded = less === undefined ? [] : table.rows.filter(less[1]);
  const rows = table.rows.filter((row) => !folded.includes(row));
  const shown = (
    <table className="stacking">
      <thead>
        <tr>
          {columns.map(({ name, kind }) => (
            <th scope="col" key={name} className={kind}>
              <span className={kind === 'actions' ? 'visually-hidden' : undefined}>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} data-state={stateOf?.(row)}>
            {columns.map(({ name, kind, cell, under }, i) =>
              i === 0 ? (
                <th key={name} scope="row" className={kind}>
                  {cell(row)}
                  {under && <span className="under">{under(row)}</span>}
                </th>
              ) : (
                <td key={name} data-label={kind === 'actions' ? undefined : name} className={kind}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
  return (
    <>
      {rows.length > 0 ? shown : none && <p className="empty">{none}</p>}
      <Folded title={less?.[0] ?? ''} count={folded.length}>
        <Table {...table} rows={folded} />
      </Folded>
    </>
  );
}
