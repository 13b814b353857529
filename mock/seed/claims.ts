/** A value that only one record may have; `taken` says so where the value itself should not be shown. */
type Claim = readonly [field: string, value: string, taken?: string];

/** Refuses values that another record of a kind has: a record is given all that it claims, or nothing. */
export function createClaims(report: (problem: string) => void) {
  const owners = new Map<string, string>();
  return (kind: string, place: string, claims: readonly Claim[]): boolean => {
    const nameOf = ([field, value]: Claim) => `${kind} ${field} ${value}`;
    const refused = claims.filter((claim) => owners.has(nameOf(claim)));
    for (const claim of refused) {
      const [field, value, taken = `${JSON.stringify(value)} is already used`] = claim;
      report(`${place}.${field}: ${taken} (${owners.get(nameOf(claim))})`);
    }
    if (refused.length === 0) for (const claim of claims) owners.set(nameOf(claim), place);
    return refused.length === 0;
  };
}
