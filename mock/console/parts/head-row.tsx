interface HeadRowProps {
  readonly names: readonly string[];
  /** The name of a last column of buttons: read aloud, and not seen. */
  readonly unseen?: string;
}

/** The head of a table: a cell a column. */
export function HeadRow({ names, unseen }: HeadRowProps) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th scope="col" key={name}>
            {name}
          </th>
        ))}
        {unseen !== undefined && (
          <th scope="col">
            <span className="unseen">{unseen}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
