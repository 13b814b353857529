import { nearest } from '../../spec/text/nearest.ts';

/** The largest number of records that an error lists. */
const maxShown = 8;

/** Knows the records of one kind by the names that a document uses for them, and reports names that do not exist. */
export class References {
  readonly #kind: string;
  readonly #names = new Set<string>();
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

  add(name: string): void {
    this.#names.add(name);
  }

  /** Whether there is a record with this name. Reports a name that stands nowhere in the document. */
  has(name: string, place: string): boolean {
    if (this.#names.has(name)) return true;
    if (!this.#written.has(name)) {
      this.#report(`${place}: no ${this.#kind} ${JSON.stringify(name)} in this tenant; ${this.#whatThereIs(name)}`);
    }
    return false;
  }

  /** Reports unknown and repeated names. */
  check(names: readonly string[] = [], place: string): void {
    for (const [index, name] of names.entries()) {
      const first = names.indexOf(name);
      if (first === index) this.has(name, `${place}[${index}]`);
      else this.#report(`${place}[${index}]: the same as ${place}[${first}]; leave one out`);
    }
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
