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
        if (from >= 0 && to <= text.length && stands(needle, text, from, to))
          found.push([owner, Math.max(0, from - around.before), Math.min(text.length, to + around.after)]);
      }
    }
    return found;
  }
}

/** Whether the needle stands here, followed by characters of a key. */
function stands(needle: string, text: string, from: number, to: number): boolean {
  for (let i = 0; i < to - from; i++) {
    const code = fold(text.charCodeAt(from + i));
    if (i < needle.length ? code !== needle.charCodeAt(i) : !/[a-z\d+/]/.test(String.fromCharCode(code))) return false;
  }
  return true;
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
