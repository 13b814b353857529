/** A value that only one record may have. `taken` replaces the message that shows the value. */
type Claim = readonly [field: string, value: string, taken?: string];

/** Refuses values that another record of the same kind has. A record gets all values that it claims, or none. */
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
