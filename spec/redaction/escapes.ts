/** How many levels are resolved: a URL in JSON within JSON has three. */
const maxDepth = 3;

/** Of URLs and of JSON, each one character. Line breaks stand for none: Base64 is often in lines. */
const escapes = /%([\da-f]{2})|\\(?:u([\da-f]{4})|([^u]))|[\r\n]+/gi;

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** The text, and then with one level of its escapes after another resolved. */
export function readingsOf(text: string): readonly string[] {
  const readings = [text];
  for (let last = text; readings.length <= maxDepth && last.search(escapes) >= 0; readings.push(last))
    last = last.replace(escapes, (all, byte?: string, unit?: string, sign?: string) => {
      if (sign !== undefined) return controls[sign] ?? sign;
      const code = byte ?? unit;
      return code === undefined ? all.slice(all.length) : String.fromCharCode(Number.parseInt(code, 16));
    });
  return readings;
}

/** Where each place of the next reading is in this text. @param places in ascending order */
export function placesIn(text: string, places: readonly number[]): Map<number, number> {
  const found = new Map<number, number>();
  let [shift, next] = [0, 0];
  const upTo = (end: number) => {
    for (let place = places[next]; place !== undefined && place <= end; place = places[++next])
      found.set(place, place + shift);
  };
  for (const { 0: all, index } of text.matchAll(escapes)) {
    upTo(index - shift);
    shift += all.length - Number(!/^[\r\n]/.test(all));
  }
  upTo(Number.POSITIVE_INFINITY);
  return found;
}
