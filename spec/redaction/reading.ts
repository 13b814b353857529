/** A text as it is or decoded. Each of its characters has a place in the original text, from which it was decoded. */
export class Reading {
  readonly text: string;
  /** How many times it was decoded. */
  readonly depth: number;
  /** Whether this reading is its parent read backwards. */
  readonly backwards: boolean;
  /** The places of the characters; undefined if the reading is the original text, forwards or backwards. */
  readonly #places: Places | undefined;

  constructor(text: string, { depth = 0, backwards = false } = {}, places?: Places) {
    this.text = text;
    this.depth = depth;
    this.backwards = backwards;
    this.#places = places;
  }

  /** Where the characters from `from` to before `to` begin in the original. */
  start(from: number, to: number): number {
    if (this.#places === undefined) return this.backwards ? this.text.length - to : from;
    const { starts } = this.#places;
    return Math.min(starts[from] ?? 0, starts[to - 1] ?? 0);
  }

  /** Where these characters end in the original, exclusive. */
  end(from: number, to: number): number {
    if (this.#places === undefined) return this.backwards ? this.text.length - from : to;
    const { ends } = this.#places;
    return Math.max(ends[from] ?? 0, ends[to - 1] ?? 0);
  }

  /** The same reading backwards. */
  reversed(): Reading {
    const { text, depth } = this;
    const codes = new Uint16Array(text.length);
    for (let i = 0; i < text.length; i++) codes[i] = text.charCodeAt(text.length - 1 - i);
    const places = this.#places && { starts: this.#places.starts.toReversed(), ends: this.#places.ends.toReversed() };
    return new Reading(textOf(codes, codes.length), { depth, backwards: true }, places);
  }
}

interface Places {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** Takes the characters of a new reading one by one, each with its place in the parent. */
export class ReadingBuilder {
  readonly #parent: Reading;
  readonly #codes: Uint16Array;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  #length = 0;

  /** @param capacity the largest number of characters */
  constructor(parent: Reading, capacity: number) {
    this.#parent = parent;
    this.#codes = new Uint16Array(capacity);
    this.#starts = new Int32Array(capacity);
    this.#ends = new Int32Array(capacity);
  }

  push(code: number, from: number, to: number): void {
    const at = this.#length++;
    this.#codes[at] = code;
    this.#starts[at] = this.#parent.start(from, to);
    this.#ends[at] = this.#parent.end(from, to);
  }

  build(): Reading {
    const text = textOf(this.#codes, this.#length);
    const starts = this.#starts.subarray(0, this.#length);
    const ends = this.#ends.subarray(0, this.#length);
    return new Reading(text, { depth: this.#parent.depth + 1 }, { starts, ends });
  }
}

/** A text from character codes. Spreading a typed array would be thirty times as slow. */
const fromCodes = (codes: Uint16Array): string => Reflect.apply(String.fromCharCode, undefined, codes);

/** In pieces, because the number of arguments of a call is limited. */
function textOf(codes: Uint16Array, length: number): string {
  let text = '';
  for (let i = 0; i < length; i += 4_096) {
    text += fromCodes(codes.subarray(i, Math.min(i + 4_096, length)));
  }
  return text;
}
