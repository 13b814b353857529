import { ConfigurationError } from '../../spec/files/configuration-error.ts';

/** A value that only one record of a collection may have; `taken` says so where the value itself should not be shown. */
export type Claim = { readonly field: string; readonly value: string; readonly taken?: string };

/** What the records of one collection have given to the seed so far. */
export class Shelf<Seed> {
  readonly seeds: Seed[] = [];
  readonly #where: string;
  readonly #kind: string;
  readonly #seedOf = new Map<object, Seed>();
  readonly #takenBy = new Map<string, string>();

  /**
   * @param where what to call the tenant in errors: its file, or its name
   * @param kind the field of the seed that these records make, for example `labels`
   */
  constructor(where: string, kind: string) {
    this.#where = where;
    this.#kind = kind;
  }

  /** The place of the record that is added next. */
  get nextPlace(): string {
    return `${this.#kind}[${this.seeds.length}]`;
  }

  add(record: object, seed: Seed): void {
    this.seeds.push(seed);
    this.#seedOf.set(record, seed);
  }

  /** Refuses values that another record has, and takes all of them or none. */
  claim(place: string, claims: readonly Claim[]): void {
    const problems = claims.flatMap(({ field, value, taken = `${JSON.stringify(value)} is already used` }) => {
      const owner = this.#takenBy.get(`${field} ${value}`);
      return owner === undefined ? [] : [`${this.#where}: ${place}.${field}: ${taken} (${owner})`];
    });
    if (problems.length > 0) throw new ConfigurationError(problems);
    for (const { field, value } of claims) this.#takenBy.set(`${field} ${value}`, place);
  }

  /** What the record is in the seed; refuses one that was not created here, for example another tenant's. */
  get(record: object, place: string): Seed {
    const seed = this.#seedOf.get(record);
    if (seed !== undefined) return seed;
    throw new ConfigurationError([
      `${this.#where}: ${place}: not a record of this tenant; give what its own ${this.#kind}.create() returned`,
    ]);
  }

  /** `get` for every entry of a list, each at most once. */
  getAll(records: readonly object[], place: string): Seed[] {
    return records.map((record, index) => {
      if (records.indexOf(record) === index) return this.get(record, `${place}[${index}]`);
      throw new ConfigurationError([
        `${this.#where}: ${place}[${index}]: the same as ${place}[${records.indexOf(record)}]; leave one out`,
      ]);
    });
  }
}
