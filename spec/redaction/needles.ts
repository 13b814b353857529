/** A text to search for. The case of letters is ignored. */
interface Needle<Owner> {
  /** As `folded` gives it; at least four characters. */
  readonly text: string;
  /** How many more characters of a key must follow, where only the beginning of a secret is known. */
  readonly rest: number;
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

  /** Every place where a needle stands: its owner, its start and its end. */
  find(text: string): [owner: Owner, from: number, to: number][] {
    const found: [Owner, number, number][] = [];
    let start = 0;
    for (let i = 0; i < text.length; i++) {
      start = (start << 8) | (fold(text.charCodeAt(i)) & 0xff);
      if (this.#mayStart[slot(start)] === 0 || i < 3) continue;
      for (const needle of this.#byStart.get(start) ?? []) {
        const end = endOf(needle, text, i - 3);
        if (end > 0) found.push([needle.owner, i - 3, end]);
      }
    }
    return found;
  }
}

/** The end of the needle that starts at this place; 0 if none does. */
function endOf({ text: needle, rest }: Needle<unknown>, text: string, at: number): number {
  const end = at + needle.length + rest;
  if (end > text.length) return 0;
  for (let i = 0; i < needle.length; i++) if (fold(text.charCodeAt(at + i)) !== needle.charCodeAt(i)) return 0;
  for (let i = at + needle.length; i < end; i++) if (!isOfKey(fold(text.charCodeAt(i)))) return 0;
  return end;
}

/** The text in lower case, with `+` and `/` in place of the `-` and `_` in URL-safe Base64. */
export const folded = (text: string) =>
  text
    .replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
    .replaceAll('-', '+')
    .replaceAll('_', '/');

const folds = Uint8Array.from({ length: 128 }, (_, code) => folded(String.fromCharCode(code)).charCodeAt(0));

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
