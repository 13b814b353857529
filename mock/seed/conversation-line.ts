import type { ConversationSeed, TenantSeed } from './schema.ts';

/** How the line of a conversation begins, up to its id. */
const beginning = '{"conversation":{"id":"';
const idLength = 36;
/** What the records of other kinds are checked against stands behind all texts of a conversation. */
const references = Buffer.from('"participants":');

/**
 * A conversation of a generated tenant. Only its id and what it refers to are read at once; the rest is read from the bytes of
 * its line when somebody asks for it. Reading a million whole conversations would take twenty seconds of every start.
 */
export class ConversationLine {
  readonly id: string;
  readonly refers: Pick<ConversationSeed, 'participants' | 'sites' | 'labels'>;
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;
  #seed: ConversationSeed | undefined;

  /**
   * @param start where the line begins in these bytes
   * @param end behind its newline
   * @throws SyntaxError where it is no line of a conversation
   */
  constructor(bytes: Buffer, start: number, end: number) {
    const at = bytes.lastIndexOf(references, end);
    if (at < start) throw new SyntaxError('no conversation');
    this.#bytes = bytes;
    this.#start = start + beginning.indexOf('{', 1);
    // Before the brace that closes the line, and the newline.
    this.#end = end - 2;
    this.id = bytes.toString('latin1', start + beginning.length, start + beginning.length + idLength);
    this.refers = JSON.parse(`{${bytes.toString('utf8', at, this.#end)}`);
  }

  static begins(bytes: Buffer, start: number): boolean {
    return bytes.toString('latin1', start, start + beginning.length) === beginning;
  }

  get seed(): ConversationSeed {
    this.#seed ??= JSON.parse(this.#bytes.toString('utf8', this.#start, this.#end)) as ConversationSeed;
    return this.#seed;
  }
}

/** The lines of tenants that were generated. A copy of such a tenant has whole conversations, as any other tenant. */
export const linesOf = new WeakMap<TenantSeed, readonly ConversationLine[]>();
