import { type Around, folded, formsOf, Needles, placesIn, readingsOf } from './needles.ts';

export type Redaction = ReturnType<typeof createRedaction>;

const minSecret = 6;

/** The placeholder for a signature. */
const redacted = 'REDACTED';

/** The longest escape of one character, such as `\\\\u0061` in JSON within JSON. */
const maxEscape = 8;

interface Secret {
  readonly placeholder: string;
  readonly length: number;
  /** The texts of its needles. Made before the first search. */
  forms?: ReadonlyMap<string, Around>;
}

/** A part of the text that will be replaced. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Null for a signature. */
  readonly placeholder: string | null;
}

/**
 * Replaces secrets in all output of a process: console, reports, journals, errors. A secret is found as it is, URL-encoded, escaped as in
 * JSON, and in hexadecimal digits, Base64 and Base64url wherever it begins, in any letter case. The time is linear in the length of the text.
 */
export function createRedaction() {
  const secrets = new Map<string, Secret>();
  const needles = new Needles<Secret | RegExp>();
  for (const [name, owner] of signatureNames)
    needles.add({ text: folded(name), around: { rest: 0, before: 0, after: 0 }, owner });

  /** Forgets a secret, or every secret with this beginning. */
  const remove = (known: string): void => {
    const secret = secrets.get(known);
    if (secret === undefined) return;
    secrets.delete(known);
    needles.remove(secret, secret.forms?.keys() ?? []);
  };

  /** Adds a secret of which only the beginning (at least 8 characters) and the length are known. */
  const addBeginning = (known: string, length: number, placeholder: string): void => {
    if (known.length < minSecret) return;
    remove(known);
    const secret = { placeholder, length };
    secrets.set(known, secret);
    unprepared.add(known);
  };

  /** Secrets without forms. The forms are made before the first search, so that a mock does not make them when it starts. */
  const unprepared = new Set<string>();
  const prepare = () => {
    for (const known of unprepared) {
      const secret = secrets.get(known);
      if (secret === undefined) continue;
      secret.forms = formsOf(known, secret.length - known.length);
      for (const [text, around] of secret.forms) needles.add({ text, around, owner: secret });
    }
    unprepared.clear();
  };

  /** The parts of a text that will be replaced. What is found in a reading is moved to where it is in the reading before. */
  const stretchesOf = (text: string): Stretch[] => {
    if (text.length >= minSecret) prepare();
    let stretches: Stretch[] = [];
    for (const reading of readingsOf(text).toReversed()) {
      const ends = [...new Set(stretches.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
      const places = placesIn(ends.length > 0 ? reading : '', ends);
      stretches = stretches.map(({ from, to, placeholder }) => ({
        from: places.get(from) ?? 0,
        to: places.get(to) ?? 0,
        placeholder,
      }));
      for (const [owner, from, to] of needles.find(reading)) {
        if (owner instanceof RegExp) stretches.push(...valueBehind(owner, reading, to));
        else stretches.push({ from, to, placeholder: owner.placeholder });
      }
    }
    return stretches;
  };

  return {
    /** Adds a secret: from now on the value is shown as the placeholder. Values under 6 characters are too common to replace. */
    add: (secret: string, placeholder: string) => addBeginning(secret, secret.length, placeholder),
    addBeginning,
    remove,
    /** The text with a placeholder for every secret, and `REDACTED` for every signature of a presigned URL. */
    apply(text: string): string {
      const stretches = stretchesOf(text);
      return stretches.length === 0 ? text : replaced(text, stretches);
    },
    /** Whether the text contains one of the secrets. */
    holds: (text: string) => stretchesOf(text).some(({ placeholder }) => placeholder !== null),
    /** The length of the longest form of a secret. This much of the end of a shortened text may be the beginning of a secret. */
    get maxLength() {
      return maxEscape * Math.max(0, ...Array.from(secrets.values(), ({ length }) => length));
    },
  };
}

/** The value after the name of a signature, if there is one. */
function valueBehind(value: RegExp, text: string, at: number): Stretch[] {
  value.lastIndex = at;
  const match = value.exec(text);
  const to = value.lastIndex;
  return match === null ? [] : [{ from: to - (match[1]?.length ?? 0), to, placeholder: null }];
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

// A value that is a placeholder already is not replaced again.
const value = String.raw`((?!\$[A-Z]|REDACTED)[^&\s"'\\<>,;]+)`;

/** Parameters of a query or a form: signatures of presigned URLs, and usual names of credentials. The token of a page of a list is none. */
const inQuery = new RegExp(`(?<!(?:page|skip|next|continuation)[-_]?token=)${value}`, 'iy');

/** In a query, a form, a JSON object or an XML error. */
const anywhere = new RegExp(String.raw`["']?\s*[=:>]\s*["']?${value}`, 'y');

const prefixes = ['x-amz-', 'x-goog-', 'x-oss-', 'x-cos-', 'x-obs-'];
const ofStores = prefixes.flatMap((prefix) =>
  ['signature', 'credential', 'security-token'].map((name) => prefix + name),
);

/** What matches the text after the name of a parameter whose value is a secret by itself. Its first group is the value. */
const signatureNames: ReadonlyMap<string, RegExp> = new Map([
  ...[...ofStores, 'accesskeyid', 'googleaccessid', 'signatureprovided'].map((name) => [name, anywhere] as const),
  ...['signature', 'credential', 'token', 'secret', 'policy', 'key-pair-id', 'apikey', 'accesskey', '?sig', '&sig']
    .concat('api-key', 'api_key', 'access-key', 'access_key', '?key', '&key')
    .map((name) => [`${name}=`, inQuery] as const),
]);
