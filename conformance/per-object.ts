/** Caches a function of objects, which gives the same for the same object. */
export function perObject<Of extends object, T>(compute: (of: Of) => T): (of: Of) => T {
  const cache = new WeakMap<Of, { readonly value: T }>();
  return (of) => {
    const known = cache.get(of) ?? { value: compute(of) };
    cache.set(of, known);
    return known.value;
  };
}
