/** What a map is made from. */
export interface MapSource<From> {
  readonly size: number;
  has(id: string): boolean;
  get(id: string): From | undefined;
  keys(): Iterable<string>;
}

/** A map whose values are made when somebody asks for them, each once. */
export class Mapped<From, To> implements ReadonlyMap<string, To> {
  readonly #from: MapSource<From>;
  readonly #make: (from: From) => To;
  readonly #made = new Map<string, To>();
  readonly #keyOf: (id: string) => string;

  /** @param keyOf how an id is spelled in the source */
  constructor(from: MapSource<From>, make: (from: From) => To, keyOf = (id: string) => id) {
    this.#from = from;
    this.#make = make;
    this.#keyOf = keyOf;
  }

  get size(): number {
    return this.#from.size;
  }

  has(id: string): boolean {
    return this.#from.has(this.#keyOf(id));
  }

  get(given: string): To | undefined {
    const id = this.#keyOf(given);
    const made = this.#made.get(id);
    if (made !== undefined) return made;
    const from = this.#from.get(id);
    if (from === undefined) return undefined;
    const value = this.#make(from);
    this.#made.set(id, value);
    return value;
  }

  *keys(): MapIterator<string> {
    yield* this.#from.keys();
  }

  *values(): MapIterator<To> {
    for (const [, value] of this) yield value;
  }

  *entries(): MapIterator<[string, To]> {
    for (const id of this.#from.keys()) {
      const value = this.get(id);
      if (value !== undefined) yield [id, value];
    }
  }

  [Symbol.iterator](): MapIterator<[string, To]> {
    return this.entries();
  }

  forEach(call: (value: To, id: string, map: ReadonlyMap<string, To>) => void): void {
    for (const [id, value] of this) call(value, id, this);
  }
}
