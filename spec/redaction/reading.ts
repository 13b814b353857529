/** A text as it is, or with its escapes resolved. Each of its characters has a place in the original text. */
export class Reading {
  readonly text: string;
  /** Where each character begins, and where the last one ends; undefined if the reading is the original. */
  readonly #places: Int32Array | undefined;

  constructor(text: string, places?: Int32Array) {
    this.text = text;
    this.#places = places;
  }

  /** Where a character begins in the original, which is where the one before it ends. */
  place(at: number): number {
    return this.#places === undefined ? at : (this.#places[at] ?? 0);
  }
}
