import { describe, expect, it } from 'vitest';
import { forms } from '../proof/secret-forms.ts';
import { createRedaction } from './redaction.ts';

/** Every character that some encoding changes, and none that a header cannot carry. */
const secret = 'k3y"W/th\\<every>&th;ng%+=and-more_Of it';
const key = 'Q7vX-2mPz_9kLrT4wYb8NcJ5hDf6GsA1eUo3iKqZ';
const beginning = key.slice(0, 8);

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

it.each([
  secret,
  key,
  `2c15"7570%c9\\d3&62>`,
  `819d"b14b\\f4b0%0d08+e8`,
  `7334"0dfc\\80a4<2e94&4b6f>a667%ddf4+d7f2/fa95=9b03'487e$9a6257c6`,
])('all forms of %s in one text are found', (known) => {
  const redaction = createRedaction();
  redaction.add(known, '$ACME_KEY');
  const all = Object.values(forms).map((write) => write(known));
  const clean = redaction.apply(JSON.stringify({ error: { message: all.join(' and ') } }));
  const seen = Object.entries(forms).filter(([, write]) => isSeen(clean, known, write));
  expect(seen.map(([form]) => form)).toEqual([]);
});

describe('signatures of presigned URLs', () => {
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

  it.each([
    'page=1&fileKey=abc',
    'the policy is: deny',
    'a token of trust',
    '$skiptoken=3',
    'page_token=Cg1',
    'nextToken=a',
    'Expires=1',
    '{"key":"abc"}',
  ])('%s has none', (text) => {
    expect(apply(text)).toBe(text);
  });
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
  expect([redaction.apply('live'), redaction.maxLength]).toEqual(['live', 0]);
});

it.each([
  ['digits of hexadecimal numbers', '6b'],
  ['Base64', 'YWJj'],
  ['nested escapes', '%252525252525'],
  ['backslashes', '\\'],
  ['the beginning of the secret', key.slice(0, 12)],
  ['the secret', key],
])('reads 4 MB of %s quickly', (_, piece) => {
  const redaction = createRedaction();
  redaction.add(key, '$ACME_KEY');
  const text = piece.repeat(4_000_000 / piece.length);
  // Processor time, because others use the machine too. Here it is half a second.
  const before = process.cpuUsage();
  redaction.apply(text);
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(3);
});
