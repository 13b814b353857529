import { readBase64 } from './read-base64.ts';
import { readDecimal } from './read-decimal.ts';
import { readEscapes } from './read-escapes.ts';
import { readHex } from './read-hex.ts';
import { Reading } from './reading.ts';

/** The maximal number of nested encodings. */
const maxDepth = 4;

/**
 * Bounds the characters of all readings together, so that no text takes very long: 100 for each character of the text up to two
 * million in all, and 12 for each character of a longer text.
 */
const [perCharacter, perCharacterOfLong, maxOfShort] = [100, 12, 2_000_000];

/**
 * Every reading of the text, also backwards. The text itself comes first, and readings that were decoded more often come later.
 * @param minLength the length of the shortest secret. Shorter readings are left out
 */
export function* readingsOf(text: string, minLength: number): Generator<Reading> {
  const queue = [new Reading(text)];
  const length = Math.max(text.length, 1_000);
  let left = Math.max(length * perCharacterOfLong, Math.min(length * perCharacter, maxOfShort));
  for (const reading of queue) {
    yield reading;
    for (const next of derived(reading, minLength)) {
      left -= next.text.length;
      if (left >= 0) queue.push(next);
    }
  }
}

function* derived(reading: Reading, minLength: number): Generator<Reading> {
  if (reading.depth >= maxDepth) return;
  if (!reading.backwards && reading.text.length >= minLength) yield reading.reversed();
  const unescaped = readEscapes(reading);
  if (unescaped !== undefined) yield unescaped;
  yield* readBase64(reading, minLength);
  yield* readHex(reading, minLength);
  yield* readDecimal(reading, minLength);
}
