/** One value per name, made by whoever asks first; the others wait for it. */
export function shared(): <T>(name: string, make: () => Promise<T>) => Promise<T> {
  const made = new Map<string, Promise<unknown>>();
  return <T>(name: string, make: () => Promise<T>) => {
    const known = made.get(name) ?? make();
    made.set(name, known);
    // The name stands for one kind of value throughout a run: it is the maker's own.
    return known as Promise<T>;
  };
}
