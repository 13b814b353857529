import { type Reading, ReadingBuilder } from './reading.ts';

/** Whether text may contain the byte: a visible character, white space, or a zero byte of UTF-16. */
export const isReadable = (byte: number) =>
  (byte >= 0x20 && byte <= 0x7e) || byte === 0 || byte === 9 || byte === 10 || byte === 13;

/**
 * Takes decoded bytes one by one, and keeps the pieces of readable text that are long enough for a secret.
 * Secrets consist of visible characters.
 */
export class DecodedBytes {
  readonly readings: Reading[] = [];
  readonly #parent: Reading;
  readonly #minLength: number;
  /** Three numbers for each byte of the current piece: the byte, its start and its end. */
  readonly #piece: number[] = [];
  #length = 0;

  constructor(parent: Reading, minLength: number) {
    this.#parent = parent;
    this.#minLength = minLength;
  }

  push(byte: number, from: number, to: number): void {
    if (byte === 0) return;
    if (!isReadable(byte)) {
      if (this.#length > 0) this.end();
      return;
    }
    this.#piece[this.#length] = byte;
    this.#piece[this.#length + 1] = from;
    this.#piece[this.#length + 2] = to;
    this.#length += 3;
  }

  /** Ends the current piece. */
  end(): void {
    const length = this.#length / 3;
    this.#length = 0;
    if (length < this.#minLength) return;
    const builder = new ReadingBuilder(this.#parent, length);
    for (let i = 0; i < length * 3; i += 3) {
      builder.push(this.#piece[i] ?? 0, this.#piece[i + 1] ?? 0, this.#piece[i + 2] ?? 0);
    }
    this.readings.push(builder.build());
  }
}
