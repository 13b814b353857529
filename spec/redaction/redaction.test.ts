import { describe, expect, it } from 'vitest';
import { createRedaction } from './redaction.ts';

/** Every character that some encoding changes, and none that a header cannot carry. */
const secret = 'k3y"W/th\\<every>&th;ng%+=and-more_Of it';
const key = 'Q7vX-2mPz_9kLrT4wYb8NcJ5hDf6GsA1eUo3iKqZ';
const beginning = key.slice(0, 8);

const base64 = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const hex = (text: string) => Buffer.from(text).toString('hex');
const backwards = (text: string) => [...text].reverse().join('');
const each = (text: string, write: (code: string) => string) =>
  [...text].map((character) => write(character.charCodeAt(0).toString(16).padStart(2, '0'))).join('');
const html = (text: string) =>
  text.replace(/[&<>"]/g, (c) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[c]};`);
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const lines = (text: string, width: number) => text.match(new RegExp(`.{1,${width}}`, 'gs'))?.join('\r\n') ?? '';

const forms: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (text) => text,
  'in capital letters': (text) => text.toUpperCase(),
  'in small letters': (text) => text.toLowerCase(),
  backwards,
  'backwards, in capital letters': (text) => backwards(text).toUpperCase(),
  'percent-encoded': encodeURIComponent,
  'percent-encoded as a URL is': encodeURI,
  'percent-encoded whole': (text) => each(text, (code) => `%${code}`),
  'percent-encoded whole, in capital digits': (text) => each(text, (code) => `%${code.toUpperCase()}`),
  'percent-encoded here and there': (text) => [...text].map((c, i) => (i % 3 ? c : `%${hex(c)}`)).join(''),
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'percent-encoded, backwards': (text) => backwards(encodeURIComponent(text)),
  'in JSON': json,
  'in JSON within JSON': (text) => json(json(text)),
  'in JSON with a slash escaped': (text) => json(text).replaceAll('/', '\\/'),
  'in JSON with signs escaped': (text) => json(text).replaceAll('+', '\\u002B').replaceAll('-', '\\u002d'),
  'in JSON with everything escaped': (text) => each(text, (code) => `\\u00${code}`),
  'in a script with bytes escaped': (text) => each(text, (code) => `\\x${code}`),
  'in a script with code points': (text) => each(text, (code) => `\\u{${code}}`),
  'in HTML': html,
  'in HTML with hexadecimal entities': (text) => each(text, (code) => `&#x${code};`),
  'in HTML with padded entities in capitals': (text) => each(text, (code) => `&#X00${code.toUpperCase()};`),
  'in HTML with decimal entities': (text) => [...text].map((c) => `&#${c.charCodeAt(0)};`).join(''),
  'in HTML with names for signs': (text) => html(text).replaceAll('+', '&plus;').replaceAll('=', '&equals;'),
  'percent-encoded in HTML': (text) => html(encodeURI(text)),
  'in HTML within JSON': (text) => json(html(text)),
  'in Base64': (text) => base64(text),
  'in Base64 without padding': (text) => base64(text).replace(/=+$/, ''),
  'in Base64 behind a name': (text) => `Basic ${base64(`user:${text}`)}`,
  'in Base64 behind another name': (text) => `Basic ${base64(`me:${text}`)}`,
  'in Base64 before a colon': (text) => `Basic ${base64(`${text}:`)}`,
  'in Base64 for URLs': base64url,
  'in Base64 for URLs behind a name': (text) => base64url(`u:${text}`),
  'in Base64, in small letters as names of headers are': (text) => base64(text).toLowerCase(),
  'in Base64 behind a name, in capital letters': (text) => base64(`u:${text}`).toUpperCase(),
  'in Base64 in lines': (text) => lines(base64(`user: ${text}`), 20),
  'in Base64 in lines within JSON': (text) => json(lines(base64(text), 20)),
  'in Base64 of JSON': (text) => base64(JSON.stringify({ sub: 'x', key: text })),
  'in a token': (text) => `eyJhbGciOiJub25lIn0.${base64url(JSON.stringify({ key: text }))}.`,
  'in Base64, percent-encoded': (text) => encodeURIComponent(base64(text)),
  'in Base64 of percent-encoding': (text) => base64(encodeURIComponent(text)),
  'in Base64 twice': (text) => base64(base64(text)),
  'in Base64 backwards': (text) => backwards(base64(text)),
  'in Base64 of what is backwards': (text) => base64(backwards(text)),
  'backwards in Base64 backwards': (text) => backwards(base64(backwards(text))),
  'in Base64 of UTF-16': (text) => base64(text, 'utf16le'),
  'in hexadecimal digits': hex,
  'in capital hexadecimal digits': (text) => hex(text).toUpperCase(),
  'in hexadecimal digits with blanks': (text) => each(text, (code) => `${code} `),
  'in hexadecimal digits with colons': (text) => each(text, (code) => `${code}:`),
  'in hexadecimal numbers': (text) => each(text, (code) => `0x${code}, `),
  'in hexadecimal digits of Base64': (text) => hex(base64(text)),
  'in hexadecimal digits backwards': (text) => backwards(hex(text)),
  'as a buffer in JSON': (text) => JSON.stringify(Buffer.from(text)),
  'as a list of bytes': (text) => JSON.stringify([...Buffer.from(text)], null, 1),
};

/** Whether a text still shows eight characters in a row of what was written of the secret, and not only of what stands around it. */
function isSeen(text: string, secret: string, write: (secret: string) => string): boolean {
  const [written, around] = [write(secret), write('-'.repeat(secret.length))].map((form) => form.toLowerCase());
  const clean = text.toLowerCase();
  for (let i = 0; i + 8 <= (written?.length ?? 0); i++) {
    const piece = written?.slice(i, i + 8) ?? '';
    if (clean.includes(piece) && !around?.includes(piece)) return true;
  }
  return clean.includes(secret.slice(8).toLowerCase());
}

describe.each(Object.entries(forms))('a secret %s', (_, write) => {
  const places: Readonly<Record<string, (form: string) => string>> = {
    alone: (form) => form,
    'in a query': (form) => `/v1/labels?q=${form}&page=2`,
    'in a path': (form) => `/v1/site/${form}/label/7`,
    'in a text': (form) => `The value ${form} was not expected.`,
    'in JSON': (form) => `{"error":{"message":"no ${form}","code":1}}`,
  };

  it.each(Object.entries(places))('is not seen %s', (_, place) => {
    const redaction = createRedaction();
    redaction.add(secret, '$ACME_KEY');
    const form = write(secret);
    const clean = redaction.apply(place(form));
    expect(isSeen(clean, secret, write)).toBe(false);
    expect(clean).toContain('$ACME_KEY');
    expect([redaction.holds(place(form)), redaction.holds(clean)]).toEqual([true, false]);
    const [before = '', after = ''] = place('…').split('…');
    expect([clean.startsWith(before), clean.endsWith(after)]).toEqual([true, true]);
  });

  it.each(Object.entries(places))('of which the beginning is known is not seen %s', (_, place) => {
    const redaction = createRedaction();
    redaction.addBeginning(beginning, key.length, '$ACME_KEY');
    const form = write(key);
    const clean = redaction.apply(place(form));
    expect(isSeen(clean, key, write)).toBe(false);
    expect([redaction.holds(place(form)), redaction.holds(clean)]).toEqual([true, false]);
  });
});

describe('what signs presigned URLs', () => {
  const { apply } = createRedaction();

  it.each([
    ['of S3', 'https://s.example/f?X-Amz-Date=1&X-Amz-Credential=abc%2Fs3&X-Amz-Signature=0afabc'],
    ['of S3 of old', 'https://s.example/f?AWSAccessKeyId=abc&Expires=1&Signature=0afabc%3D'],
    ['of Google', 'https://s.example/f?X-Goog-Credential=abc&X-Goog-Signature=0afabc'],
    ['of Azure', 'https://s.example/f?sv=2020&se=1&sig=0afabc%2B'],
    ['of CloudFront', 'https://s.example/f?Policy=0afabc&Signature=abc&Key-Pair-Id=abc'],
    ['in JSON', '{"url":"https://s.example/f?a=1\\u0026X-Amz-Signature=0afabc"}'],
    ['in HTML', '<a href="/f?a=1&amp;X-Amz-Signature=0afabc">'],
    ['within another URL', '/go?to=https%3A%2F%2Fs.example%2Ff%3FX-Amz-Signature%3D0afabc'],
    ['as a field', '{"X-Amz-Signature": "0afabc"}'],
    ['in an XML error', '<AWSAccessKeyId>0afabc</AWSAccessKeyId>'],
    ['in a header', 'AWS4-HMAC-SHA256 Credential=abc/2026, SignedHeaders=host, Signature=0afabc'],
    ['of a client', '/v1/labels?api_key=0afabc&x=1'],
  ])('%s', (_, text) => {
    expect(apply(text)).not.toContain('abc');
    expect(apply(text)).toContain('REDACTED');
    expect(apply(apply(text))).toBe(apply(text));
  });

  it.each(['page=1&fileKey=abc', 'the policy is: deny', 'a token of trust', 'Expires=1', '{"key":"abc"}'])(
    '%s has none',
    (text) => {
      expect(apply(text)).toBe(text);
    },
  );
});

it('names the longest of several secrets that overlap, and forgets one that is removed', () => {
  const redaction = createRedaction();
  redaction.add('se+cr/et="1"', '$LONG');
  redaction.add('se+cr/et', '$SHORT');
  expect(redaction.apply('a se+cr/et="1" b se+cr/et c')).toBe('a $LONG b $SHORT c');
  redaction.remove('se+cr/et="1"');
  expect(redaction.apply('a se+cr/et="1"')).toBe('a $SHORT="1"');
});

it('leaves words alone that are too short to be secrets', () => {
  const redaction = createRedaction();
  redaction.add('live', '$X');
  expect([redaction.apply('live'), redaction.longest]).toEqual(['live', 0]);
});
