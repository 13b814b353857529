/** The item with this id. @throws RangeError if there is none */
export function named<T extends { readonly id: string }>(all: readonly T[], id: string): T {
  const found = all.find((one) => one.id === id);
  if (found === undefined) throw new RangeError(`there is no ${id} among ${all.map((one) => one.id).join(', ')}`);
  return found;
}
