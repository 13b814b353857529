import { formsOf } from './forms-of.ts';
import { folded, Needles } from './needles.ts';
import { mayHoldEscapes } from './read-escapes.ts';
import { readingsOf } from './readings-of.ts';
import { type SignatureName, signatureNames } from './signature-names.ts';

/**
 * Replaces secrets in all output of a process: console, reports, journals, errors. Texts are decoded first, so a secret is also
 * found in upper case, backwards, percent-encoded, in Base64, in hexadecimal digits, with escapes of JSON or HTML, and in nested
 * encodings.
 */
export interface Redaction {
  /** Adds a secret: from now on the value is shown as the placeholder. Values under 6 characters are too common to replace. */
  add(secret: string, placeholder: string): void;
  /** Adds a secret of which only the beginning (at least 8 characters) and the length are known. */
  addBeginning(beginning: string, length: number, placeholder: string): void;
  /** Forgets a secret, or every secret with this beginning. */
  remove(secret: string): void;
  /** The text with a placeholder for every secret, and `REDACTED` for every signature of a presigned URL. */
  apply(text: string): string;
  /** Whether the text contains one of the secrets. */
  holds(text: string): boolean;
  /** The length of the longest form of a secret. This much of the end of a shortened text may be the beginning of a secret. */
  readonly maxLength: number;
}

const minSecret = 6;

/** The placeholder for a signature. */
const redacted = 'REDACTED';

/** The longest escape of one character, such as `&#x0061;` or `\u{0061}`. */
const maxEscape = 8;

interface Secret {
  readonly placeholder: string;
  readonly length: number;
  /** The texts of its needles, each with the number of characters that must follow. Made before the first search. */
  forms?: ReadonlyMap<string, number>;
}

/** A part of the text that will be replaced. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Null for a signature. */
  readonly placeholder: string | null;
}

export function createRedaction(): Redaction {
  const secrets = new Map<string, Secret>();
  const needles = new Needles<Secret | SignatureName>();
  for (const [name, owner] of signatureNames) needles.add({ text: folded(name), rest: 0, owner });

  const remove = (known: string) => {
    const secret = secrets.get(known);
    if (secret === undefined) return;
    secrets.delete(known);
    lengths = undefined;
    needles.remove(secret, secret.forms?.keys() ?? []);
  };

  const add = (known: string, length: number, placeholder: string) => {
    if (known.length < minSecret) return;
    remove(known);
    const secret = { placeholder, length };
    secrets.set(known, secret);
    lengths = undefined;
    unprepared.add(known);
    // Without its escapes the secret is shorter, so a shorter text may contain it.
    if (mayHoldEscapes(known)) prepare();
  };

  /** Secrets without forms. The forms are made before the first search, so that a mock does not make them when it starts. */
  const unprepared = new Set<string>();
  const prepare = () => {
    for (const known of unprepared) {
      const secret = secrets.get(known);
      if (secret === undefined) continue;
      secret.forms = formsOf(known, secret.length - known.length);
      for (const [text, rest] of secret.forms) needles.add({ text, rest, owner: secret });
    }
    unprepared.clear();
  };

  /** The lengths of the shortest and the longest secret, computed when they are needed. */
  let lengths: readonly [min: number, max: number] | undefined;
  const extremes = () => {
    if (lengths !== undefined) return lengths;
    const all = Array.from(secrets.values(), ({ length }) => length);
    lengths = [all.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY), all.reduce((a, b) => Math.max(a, b), 0)];
    return lengths;
  };

  function* stretchesOf(text: string): Generator<Stretch> {
    const [minLength] = extremes();
    if (unprepared.size > 0 && text.length >= minLength) prepare();
    for (const reading of readingsOf(text, minLength)) {
      for (const [owner, from, to] of needles.find(reading.text)) {
        const stretch = 'value' in owner ? valueBehind(owner, reading.text, to) : ([from, to] as const);
        if (stretch === undefined) continue;
        const placeholder = 'value' in owner ? null : owner.placeholder;
        yield { from: reading.start(...stretch), to: reading.end(...stretch), placeholder };
      }
    }
  }

  return {
    add: (secret, placeholder) => add(secret, secret.length, placeholder),
    addBeginning: add,
    remove,
    apply(text) {
      const stretches = [...stretchesOf(text)];
      return stretches.length === 0 ? text : replaced(text, stretches);
    },
    holds(text) {
      for (const { placeholder } of stretchesOf(text)) if (placeholder !== null) return true;
      return false;
    },
    get maxLength() {
      return extremes()[1] * maxEscape;
    },
  };
}

/** The place of the value after the name of a signature. */
function valueBehind({ value }: SignatureName, text: string, at: number): readonly [number, number] | undefined {
  value.lastIndex = at;
  const match = value.exec(text);
  return match === null ? undefined : [value.lastIndex - (match[1]?.length ?? 0), value.lastIndex];
}

/** Replaces the stretches. Overlapping stretches get one placeholder, that of the longest secret. */
function replaced(text: string, stretches: Stretch[]): string {
  stretches.sort((a, b) => a.from - b.from || b.to - a.to);
  let clean = '';
  let done = 0;
  for (let i = 0; i < stretches.length; ) {
    const { from } = stretches[i] as Stretch;
    let to = from;
    let named: Stretch | undefined;
    for (let next = stretches[i]; next !== undefined && (to === from || next.from < to); next = stretches[++i]) {
      to = Math.max(to, next.to);
      const longer = named === undefined || next.to - next.from > named.to - named.from;
      if (next.placeholder !== null && longer) named = next;
    }
    clean += text.slice(done, from) + (named?.placeholder ?? redacted);
    done = to;
  }
  return clean + text.slice(done);
}
