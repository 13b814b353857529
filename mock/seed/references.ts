import { nearest } from '../../spec/text/nearest.ts';

/** The largest number of records that an error lists. */
const maxShown = 8;

/** Finds the records of one kind by the names that a document uses for them, and reports names that do not exist. */
export class References<Item> {
  readonly #kind: string;
  readonly #items = new Map<string, Item>();
  readonly #written: ReadonlySet<string>;
  readonly #report: (problem: string) => void;

  /**
   * @param kind the word for a record, such as `label`
   * @param written the names of all records of this kind in the document, including refused ones: a reference to a refused
   *   record is not a second problem
   */
  constructor(kind: string, written: Iterable<string>, report: (problem: string) => void) {
    this.#kind = kind;
    this.#written = new Set(written);
    this.#report = report;
  }

  /** Adds a record; undefined if the record was refused. */
  add(name: string, item: Item | undefined): void {
    if (item !== undefined) this.#items.set(name, item);
  }

  /** The record with this name. If there is none, reports a problem at `place` and returns undefined. */
  get(name: string, place: string): Item | undefined {
    const item = this.#items.get(name);
    if (item === undefined && !this.#written.has(name)) {
      this.#report(`${place}: no ${this.#kind} ${JSON.stringify(name)} in this tenant; ${this.#whatThereIs(name)}`);
    }
    return item;
  }

  /** The records with these names. Reports unknown and repeated names. */
  getAll(names: readonly string[], place: string): Item[] {
    return names.flatMap((name, index) => {
      const first = names.indexOf(name);
      if (first === index) return this.get(name, `${place}[${index}]`) ?? [];
      this.#report(`${place}[${index}]: the same as ${place}[${first}]; leave one out`);
      return [];
    });
  }

  #whatThereIs(name: string): string {
    const meant = nearest(name, this.#written);
    if (meant !== undefined) return `did you mean ${JSON.stringify(meant)}?`;
    if (this.#written.size === 0) return `the tenant has no ${this.#kind}s`;
    const names = [...this.#written].slice(0, maxShown).map((known) => JSON.stringify(known));
    const more = this.#written.size - names.length;
    return `there ${this.#written.size === 1 ? 'is' : 'are'} ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  }
}
