import { nearest } from '../../spec/text/nearest.ts';

/** How many of a tenant's records an error lists. */
const maxShown = 8;

/** The records of one kind by what a document refers to them with, and the errors for what is not among them. */
export class References<Item> {
  readonly #kind: string;
  readonly #items = new Map<string, Item>();
  readonly #written: ReadonlySet<string>;
  readonly #report: (problem: string) => void;

  /**
   * @param kind what one record is called, for example `label`
   * @param written every name that the document gives to a record of this kind, also to those that turn out to be
   *   wrong: what refers to a wrong record is not a second problem
   */
  constructor(kind: string, written: Iterable<string>, report: (problem: string) => void) {
    this.#kind = kind;
    this.#written = new Set(written);
    this.#report = report;
  }

  /** Adds a record; undefined where the record was refused. Of two records of one name the first stays. */
  add(name: string, item: Item | undefined): void {
    if (item !== undefined) this.#items.set(name, item);
  }

  /** The record of that name; where there is none, undefined and a problem reported at `place`. */
  get(name: string, place: string): Item | undefined {
    const item = this.#items.get(name);
    if (item === undefined && !this.#written.has(name)) {
      this.#report(`${place}: no ${this.#kind} ${JSON.stringify(name)} in this tenant; ${this.#whatThereIs(name)}`);
    }
    return item;
  }

  /** The records that were found; a name given twice is a problem too. */
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
