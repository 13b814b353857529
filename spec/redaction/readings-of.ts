import { readBase64 } from './read-base64.ts';
import { readDecimal } from './read-decimal.ts';
import { readEscapes } from './read-escapes.ts';
import { readHex } from './read-hex.ts';
import { Reading } from './reading.ts';

/** How many encodings within each other are followed. */
const deepest = 4;

/**
 * All readings together have at most so many characters for each of the text, and those of a long text fewer, so that no text can
 * be made to take for ever.
 */
const [maxPerCharacter, maxPerCharacterOfLong] = [100, 12];

/** Characters that all readings of any text may have. */
const always = 2_000_000;

/**
 * Every way to read the text, also backwards; the text itself comes first, and what is decoded twice after what is once.
 * @param shortest how many characters a secret has at least; what decodes to fewer is left out
 */
export function* readingsOf(text: string, shortest: number): Generator<Reading> {
  const queue = [new Reading(text)];
  const length = Math.max(text.length, 1_000);
  let left = Math.max(length * maxPerCharacterOfLong, Math.min(length * maxPerCharacter, always));
  for (const reading of queue) {
    yield reading;
    for (const next of derived(reading, shortest)) {
      left -= next.text.length;
      if (left >= 0) queue.push(next);
    }
  }
}

function* derived(reading: Reading, shortest: number): Generator<Reading> {
  if (reading.depth >= deepest) return;
  if (!reading.backwards && reading.text.length >= shortest) yield reading.turned();
  const unescaped = readEscapes(reading);
  if (unescaped !== undefined) yield unescaped;
  yield* readBase64(reading, shortest);
  yield* readHex(reading, shortest);
  yield* readDecimal(reading, shortest);
}
