import { forms } from '../../../spec/proof/secret-forms.ts';

/** So many characters of a secret may show: the portal shows as many of a key. */
const shown = 8;

/** A part of a secret as the formats that we write would have it. */
const formats: Readonly<Record<string, (part: string) => readonly string[]>> = {
  'as it is': (part) => [part],
  'percent-encoded': (part) => [encodeURIComponent(part), encodeURI(part)],
  'in JSON': (part) => {
    const once = JSON.stringify(part).slice(1, -1);
    return [once, JSON.stringify(once).slice(1, -1)];
  },
  'in HTML or XML': (part) => [
    part.replace(/[<>&"']/g, (c) => `&#${c.charCodeAt(0)};`),
    part.replace(/[<>&"]/g, (c) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' })[c] ?? c),
  ],
  'in hexadecimal': (part) => [Buffer.from(part).toString('hex')],
};

/** Where a text stands within a longer one, its Base64 depends on how many bytes came before. */
const base64 = (secret: string): string[] =>
  ['', 'x', 'xx'].flatMap((before) => {
    const whole = Buffer.from(before + secret).toString('base64');
    const inner = whole.slice(before === '' ? 0 : 4).replace(/.{0,3}=*$/, '');
    return partsOf(inner, Math.ceil(((shown + 1) * 4) / 3)).flatMap((part) => [
      part,
      part.replaceAll('+', '-').replaceAll('/', '_'),
    ]);
  });

/** What is written of a secret, without what the form writes of any: as much of both ends as another secret has too. */
function ofTheSecret(written: string, other: string): string {
  let [from, to] = [0, 0];
  while (from < written.length && written[from] === other[from]) from++;
  while (to < written.length - from && written.at(-1 - to) === other.at(-1 - to)) to++;
  return written.slice(from, written.length - to);
}

const partsOf = (text: string, length: number): string[] =>
  Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length));

interface Piece {
  readonly text: string;
  readonly secret: string;
  readonly form: string;
}

const startOf = (text: string, at: number) => text.slice(at, at + 5);

/**
 * Looks for secrets in texts: whole, or more of one than eight characters in a row, in any form.
 * @returns a function from a text to what it shows, each with what surrounds it
 */
export function traceFinder(secrets: readonly string[]): (text: string) => string[] {
  const byStart = new Map<string, Piece[]>();
  const add = (text: string, secret: string, form: string) => {
    const start = startOf(text, 0);
    byStart.set(start, [...(byStart.get(start) ?? []), { text, secret, form }]);
  };
  for (const secret of secrets) {
    for (const text of new Set(base64(secret))) add(text, secret, 'in Base64');
    for (const [form, write] of Object.entries(forms)) {
      const written = ofTheSecret(write(secret), write('-'.repeat(secret.length)));
      // As long as what it writes of one character more than may show.
      const length = Math.ceil(((shown + 1) * written.length) / secret.length);
      for (const part of partsOf(written, length)) add(part, secret, form);
    }
    for (const [form, write] of Object.entries(formats)) {
      for (const part of partsOf(secret, shown + 1)) for (const text of new Set(write(part))) add(text, secret, form);
    }
  }
  return (text) => {
    const found = new Map<string, string>();
    for (let at = 0; at + shown < text.length; at++) {
      for (const piece of byStart.get(startOf(text, at)) ?? []) {
        const name = `${piece.secret.slice(0, shown)}… ${piece.form}`;
        if (found.has(name) || !text.startsWith(piece.text, at)) continue;
        found.set(name, `${name}: …${text.slice(Math.max(0, at - 60), at + 80)}…`);
      }
    }
    return [...found.values()];
  };
}
