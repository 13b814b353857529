/** Whether a text holds the secret in any of the forms in which clients send one by mistake. */
export function holdsSecret(text: string, secret: string): boolean {
  if (text.includes(secret)) return true;
  if (text.includes('%') && percentEncoded(secret).test(text)) return true;
  return text.length > secret.length && encodedForms(secret).some((form) => text.includes(form));
}

/** The text without the secret: as it is, percent-encoded, in JSON or in Base64. */
export function withoutSecret(text: string, secret: string): string {
  let clean = text.replaceAll(secret, '…');
  if (clean.includes('%')) clean = clean.replace(percentEncoded(secret), '…');
  for (const form of encodedForms(secret)) clean = clean.replaceAll(form, '…');
  return clean;
}

/** A text that was cut, without what may be the beginning of the secret at its end. */
export function withoutBeginningOf(secret: string, text: string): string {
  for (const form of [secret, ...encodedForms(secret)]) {
    for (let length = form.length; length > 0; length--) {
      if (text.endsWith(form.slice(0, length))) return text.slice(0, -length);
    }
  }
  return text;
}

/** Which characters are encoded differs from client to client, so each may be or not. */
function percentEncoded(secret: string): RegExp {
  const characters = [...secret].map((character) => {
    const bytes = [...new TextEncoder().encode(character)];
    const encoded = bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    return `(?:${character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')}|${encoded})`;
  });
  return new RegExp(characters.join(''), 'gi');
}

/** In JSON, and in Base64 behind any number of bytes; of Base64 what does not depend on its neighbours. */
function encodedForms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const forms = ['', ' ', '  '].map((before) => {
    const whole = btoa(before + String.fromCharCode(...bytes));
    return whole.slice(before === '' ? 0 : 4).replace(/.{0,2}=*$/, '');
  });
  const urlSafe = forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([JSON.stringify(secret).slice(1, -1), ...forms, ...urlSafe])];
}
