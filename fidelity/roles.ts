/** Which id or name of the mock stands for which one of the recording: one for one, for the whole of a history. */
export class Roles {
  readonly #mockOf = new Map<string, string>();
  readonly #recordedOf = new Map<string, string>();

  /** Learns a pair, unless one of the two is known already. @returns whether they stand for each other */
  pair(recorded: string, mock: string): boolean {
    const [a, b] = [recorded.toLowerCase(), mock.toLowerCase()];
    const known = this.#mockOf.get(a);
    if (known !== undefined) return known.toLowerCase() === b;
    if (this.#recordedOf.has(b)) return false;
    this.#mockOf.set(a, mock);
    this.#recordedOf.set(b, recorded);
    return true;
  }

  /** What stands in the mock for an id or name of the recording; undefined if it was not seen yet. */
  mockOf(recorded: string): string | undefined {
    return this.#mockOf.get(recorded.toLowerCase());
  }

  /** A text of the recording, such as the body or path of a request, with the ids of the mock. The same id keeps its letter case. */
  translated(text: string): string {
    const own = (id: string) => {
      const mock = this.mockOf(id);
      return mock?.toLowerCase() === id.toLowerCase() ? id : mock;
    };
    return text.replace(ids, (id) => own(id) ?? id.slice(0, -36) + (own(id.slice(-36)) ?? id.slice(-36)));
  }
}

/** UUIDs, with the prefix of their kind if there is one. */
const ids = /(?:[a-z]+-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
