import type { ReactNode } from 'react';

/** A column of a table. The cells of the first one are the headers of their rows. */
export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
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
}

/** A table. On a narrow screen each row is a card that names its values. */
export function Table<Row>({ rows, columns, keyOf, stateOf, none }: TableProps<Row>) {
  if (rows.length === 0 && none !== undefined) return <p className="empty">{none}</p>;
  const [first, ...others] = columns;
  return (
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
            <th scope="row" className={first?.kind}>
              {first?.cell(row)}
            </th>
            {others.map(({ name, kind, cell }) => (
              <td key={name} data-label={kind === 'actions' ? undefined : name} className={kind}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
