interface HeadRowProps {
  readonly names: readonly string[];
  /** The name of a last column of buttons. Only screen readers see it. */
  readonly hiddenName?: string;
}

/** The header row of a table. */
export function HeadRow({ names, hiddenName }: HeadRowProps) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th scope="col" key={name}>
            {name}
          </th>
        ))}
        {hiddenName !== undefined && (
          <th scope="col">
            <span className="visually-hidden">{hiddenName}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
