/** What stands around the text of a form and belongs to it, in characters. */
export interface Around {
  /** Characters that are not known, at the end of the secret. */
  readonly rest: number;
  /** At an end of the secret, a character of Base64 holds bits of a neighbour too, so it is not known. */
  readonly before: number;
  readonly after: number;
}

/** A text to search for. The case of letters is ignored. */
interface Needle<Owner> {
  /** As `folded` gives it; at least four characters. */
  readonly text: string;
  readonly around: Around;
  readonly owner: Owner;
}

/** Finds many texts in one pass. They are indexed by their first four characters. */
export class Needles<Owner> {
  readonly #byStart = new Map<number, Needle<Owner>[]>();
  /** A quick filter: 0 if no needle begins with these four characters. */
  readonly #mayStart = new Uint8Array(1 << 16);

  add(needle: Needle<Owner>): void {
    const start = startOf(needle.text);
    this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), needle]);
    this.#mayStart[slot(start)] = 1;
  }

  /** Removes the needles of the owner with these texts. */
  remove(owner: Owner, texts: Iterable<string>): void {
    for (const start of new Set(Array.from(texts, startOf))) {
      const left = this.#byStart.get(start)?.filter((needle) => needle.owner !== owner) ?? [];
      if (left.length > 0) this.#byStart.set(start, left);
      else this.#byStart.delete(start);
    }
  }

  /** Every place where a needle stands: its owner, its start and its end. */
  find(text: string): [owner: Owner, from: number, to: number][] {
    const found: [Owner, number, number][] = [];
    let start = 0;
    for (let i = 0; i < text.length; i++) {
      start = (start << 8) | (fold(text.charCodeAt(i)) & 0xff);
      if (this.#mayStart[slot(start)] === 0) continue;
      for (const { text: needle, around, owner } of this.#byStart.get(start) ?? []) {
        const [from, to] = [i - 3, i - 3 + needle.length + around.rest];
        const part = folded(text.slice(from, to));
        // What is not known are characters of a key.
        if (to <= text.length && part.startsWith(needle) && /^[a-z\d+/]*$/.test(part.slice(needle.length)))
          found.push([owner, Math.max(0, from - around.before), Math.min(text.length, to + around.after)]);
      }
    }
    return found;
  }
}

/** The text in lower case, with `+` and `/` in place of the `-` and `_` in URL-safe Base64. */
export const folded = (text: string) =>
  text
    .replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
    .replaceAll('-', '+')
    .replaceAll('_', '/');

const folds = Uint8Array.from({ length: 128 }, (_, code) => folded(String.fromCharCode(code)).charCodeAt(0));

const fold = (code: number) => folds[code] ?? code;

/** The first four characters as a number. */
function startOf(text: string): number {
  let start = 0;
  for (let i = 0; i < 4; i++) start = (start << 8) | (text.charCodeAt(i) & 0xff);
  return start;
}

const slot = (start: number) => Math.imul(start, 0x9e3779b1) >>> 16;

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

/**
 * The folded texts to search for: the secret itself, its hexadecimal digits and its Base64, and both of what a URL or a JSON document
 * makes of it.
 * @param known the secret, or its beginning
 * @param rest the number of unknown characters at the end of the secret
 */
export function formsOf(known: string, rest: number): Map<string, Around> {
  const forms = new Map<string, Around>();
  // In capitals, hexadecimal digits and Base64 are others.
  const spellings = [known, known.toUpperCase(), known.toLowerCase()];
  const written = spellings.flatMap((text) => [text, inUrl(text), inJson(text), inJson(inJson(text))]);
  // Where the secret itself has what looks like an escape, a text reads it otherwise.
  for (const plain of new Set(written.flatMap(readingsOf))) {
    const bytes = bytesOf(plain);
    for (const text of [plain, bytes]) forms.set(folded(text), { rest, before: 0, after: 0 });
    forms.set(hex(bytes), { rest: 2 * rest, before: 0, after: 0 });
    for (const shift of [0, 1, 2]) {
      const [from = 0, to = 0, last = 0] = [0, bytes.length, bytes.length + rest].map((n) => ((shift + n) * 8) / 6);
      const text = btoa('\0'.repeat(shift) + bytes).slice(Math.ceil(from), Math.floor(to));
      const [before = 0, after = 0] = [from, last].map((end) => Number(!Number.isInteger(end)));
      if (text.length >= 6) forms.set(folded(text), { rest: Math.floor(last) - Math.floor(to), before, after });
    }
  }
  return forms;
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Half a pair of surrogates cannot be encoded. */
const inUrl = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''));

const hex = (bytes: string) => Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');

/** The UTF-8 of a text, each byte as one character. */
const bytesOf = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));
