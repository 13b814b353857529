/** The class of characters that end a run. */
export const foreign = 255;
/** The class of characters that a run skips. All other classes are values of digits. */
export const filler = 254;

/** The value of each character by its code, or `filler` or `foreign`. */
export function characterTable(alphabets: readonly string[], fillers: string): Uint8Array {
  const table = new Uint8Array(128).fill(foreign);
  for (const alphabet of alphabets) {
    for (let value = 0; value < alphabet.length; value++) table[alphabet.charCodeAt(value)] = value;
  }
  for (const character of fillers) table[character.charCodeAt(0)] = filler;
  return table;
}

/** The runs with at least `minDigits` digits. Fillers between them do not count. */
export function runsOf(text: string, table: Uint8Array, minDigits: number): [number, number][] {
  const runs: [number, number][] = [];
  let begin = 0;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const value = table[text.charCodeAt(i)] ?? foreign;
    if (value < filler) {
      if (count++ === 0) begin = i;
    } else if (value === foreign) {
      if (count >= minDigits) runs.push([begin, i]);
      count = 0;
    }
  }
  if (count >= minDigits) runs.push([begin, text.length]);
  return runs;
}
