/** The class of a character that ends a run, and of one that a run passes over; all others are values. */
export const foreign = 255;
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

/** The stretches that have at least so many characters with a value, fillers between them not counted. */
export function runsOf(text: string, table: Uint8Array, shortest: number): [number, number][] {
  const runs: [number, number][] = [];
  let begin = 0;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const value = table[text.charCodeAt(i)] ?? foreign;
    if (value < filler) {
      if (count++ === 0) begin = i;
    } else if (value === foreign) {
      if (count >= shortest) runs.push([begin, i]);
      count = 0;
    }
  }
  if (count >= shortest) runs.push([begin, text.length]);
  return runs;
}
