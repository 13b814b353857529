/** A slot has 96 bits of hash, and the number of the text, counted from 1. In a free slot all are 0. */
const slotLength = 4;

/**
 * Numbers texts in the order in which they are added, and finds their numbers again. The texts stay where they are, as bytes:
 * a Map of a million strings takes several times as long. Texts are told apart by their hash alone. The chance that any two of ten
 * million have the same is less than that of a broken memory.
 */
export class ByteKeys {
  #size = 0;
  #slots = new Int32Array(slotLength * 64);
  /** The hash of the text that was looked for last. */
  readonly #hash = new Int32Array(slotLength - 1);

  /** @returns the number of the text, from 0; -1 if there is none */
  find(bytes: Uint8Array, start: number, end: number): number {
    return (this.#slots[this.#slotOf(bytes, start, end) + 3] ?? 0) - 1;
  }

  /** @returns whether the text is new */
  add(bytes: Uint8Array, start: number, end: number): boolean {
    const slot = this.#slotOf(bytes, start, end);
    if (this.#slots[slot + 3] !== 0) return false;
    this.#slots.set(this.#hash, slot);
    this.#slots[slot + 3] = ++this.#size;
    if (this.#size * slotLength * 2 > this.#slots.length) this.#grow();
    return true;
  }

  /** The slot of this text, or the free one that it would get. */
  #slotOf(bytes: Uint8Array, start: number, end: number): number {
    let a = 0x811c9dc5;
    let b = 0x1b873593;
    let c = 0x2545f491;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] ?? 0;
      // Bits move up in a product, so each sum is turned by another width: its lower bits then tell texts apart, too.
      a = Math.imul(((a << 13) | (a >>> 19)) ^ byte, 0x01000193);
      b = Math.imul(((b << 7) | (b >>> 25)) ^ byte, 0x5bd1e995);
      c = Math.imul(((c << 19) | (c >>> 13)) ^ byte, 0x85ebca6b);
    }
    this.#hash[0] = a;
    this.#hash[1] = b;
    this.#hash[2] = c;
    return probe(this.#slots, a | 0, b | 0, c | 0);
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 4);
    for (let at = 0; at < old.length; at += slotLength) {
      const slot = old.subarray(at, at + slotLength);
      const [a = 0, b = 0, c = 0, number] = slot;
      if (number !== 0) this.#slots.set(slot, probe(this.#slots, a, b, c));
    }
  }
}

/** The slot with this hash, or the first free one after its place. */
function probe(slots: Int32Array, a: number, b: number, c: number): number {
  const last = slots.length - slotLength;
  let at = (a * slotLength) & last;
  while (slots[at + 3] !== 0 && (slots[at] !== a || slots[at + 1] !== b || slots[at + 2] !== c)) {
    at = (at + slotLength) & last;
  }
  return at;
}
