/** The head of a column that explains itself to those who see it. */
export function UnseenHead({ name }: { readonly name: string }) {
  return (
    <th scope="col">
      <span className="unseen">{name}</span>
    </th>
  );
}
