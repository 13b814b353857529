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
    const known = this.#byStart.get(start);
    if (known === undefined) this.#byStart.set(start, [needle]);
    else known.push(needle);
    this.#mayStart[slot(start)] = 1;
  }

  /** Removes the needles of the owner with these texts. */
  remove(owner: Owner, texts: Iterable<string>): void {
    for (const text of texts) {
      const start = startOf(text);
      const left = this.#byStart.get(start)?.filter((needle) => needle.owner !== owner) ?? [];
      if (left.length > 0) this.#byStart.set(start, left);
      else this.#byStart.delete(start);
    }
  }

  /** Every place where a needle stands: its owner, its start and its end. Line breaks do not count: Base64 is often in lines. */
  find(text: string): [owner: Owner, from: number, to: number][] {
    const found: [Owner, number, number][] = [];
    let start = 0;
    // Where the last four characters are, the latest first.
    let [a, b, c, d] = [-1, -1, -1, -1];
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (isLineBreak(code)) continue;
      start = (start << 8) | (fold(code) & 0xff);
      d = c;
      c = b;
      b = a;
      a = i;
      if (this.#mayStart[slot(start)] === 0 || d < 0) continue;
      for (const needle of this.#byStart.get(start) ?? []) {
        const end = endOf(needle, text, d);
        const { before, after } = needle.around;
        if (end > 0) found.push([needle.owner, Math.max(0, d - before), Math.min(text.length, end + after)]);
      }
    }
    return found;
  }
}

/** The end of the needle that starts at this place; 0 if none does. */
function endOf({ text: needle, around }: Needle<unknown>, text: string, at: number): number {
  let end = at;
  for (let i = 0; i < needle.length + around.rest; end++) {
    // There is no character beyond the end of the text.
    if (end >= text.length) return 0;
    const code = text.charCodeAt(end);
    if (isLineBreak(code)) continue;
    if (i < needle.length ? fold(code) !== needle.charCodeAt(i) : !isOfKey(fold(code))) return 0;
    i++;
  }
  return end;
}

const isLineBreak = (code: number) => code === 10 || code === 13;

/** The text in lower case without line breaks, with `+` and `/` in place of the `-` and `_` in URL-safe Base64. */
export const folded = (text: string) =>
  text
    .replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[\r\n]/g, '');

const folds = Uint8Array.from({ length: 128 }, (_, code) => folded(String.fromCharCode(code)).charCodeAt(0) || code);

const fold = (code: number) => folds[code] ?? code;

/** Whether a key or its Base64 can contain the character. */
const isOfKey = (code: number) =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2f;

function startOf(text: string): number {
  let start = 0;
  for (let i = 0; i < 4; i++) start = (start << 8) | (text.charCodeAt(i) & 0xff);
  return start;
}

const slot = (start: number) => Math.imul(start, 0x9e3779b1) >>> 16;
