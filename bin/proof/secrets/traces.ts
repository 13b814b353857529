import { forms } from '../../../spec/proof/secret-forms.ts';

/** So many characters of a secret may show: the portal shows as many of a key. */
const shown = 8;

/** What a deployment may repeat, and what our pages and XML reports make of it. */
const written: typeof forms = {
  ...forms,
  'in Base64 behind a character': (text) => Buffer.from(`x${text}`).toString('base64'),
  'in HTML or XML': (text) =>
    text.replace(/[<>&"]/g, (sign) => `&${{ '<': 'lt', '>': 'gt', '&': 'amp' }[sign] ?? 'quot'};`),
  'in HTML or XML, by numbers': (text) => text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
};

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
  for (const secret of secrets)
    for (const [form, write] of Object.entries(written)) {
      const own = (text: string) => ofTheSecret(write(text), write('~'.repeat(text.length)));
      const whole = own(secret);
      // As long as what it writes of one character more than may show.
      const length = Math.ceil(((shown + 1) * whole.length) / secret.length);
      for (const text of new Set([...partsOf(whole, length), ...partsOf(secret, shown + 1).map(own)]))
        add(text, secret, form);
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
