import { describe, expect, it } from 'vitest';
import { holdsSecret, withoutBeginningOf, withoutSecret } from './secret-forms.ts';

const secret = 'k3y"with\\<every>&thing%+/=and-more';
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe.each([
  ['as it is', secret],
  ['percent-encoded', encodeURIComponent(secret)],
  ['percent-encoded as a URL is', encodeURI(secret)],
  ['percent-encoded to the last character', [...secret].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')],
  ['in JSON', JSON.stringify(secret).slice(1, -1)],
  ['in Base64', base64(secret)],
  ['in Base64 behind a name', base64(`user:${secret}`)],
  ['in Base64 behind another name', base64(`name:${secret}:`)],
  ['in Base64 for URLs', Buffer.from(secret).toString('base64url')],
])('a secret %s', (_, written) => {
  it('is found, and taken out', () => {
    const text = `/v1/labels?q=${written}&r=1`;
    expect(holdsSecret(text, secret)).toBe(true);
    const clean = withoutSecret(text, secret);
    expect(clean).toContain('…');
    expect(holdsSecret(clean, secret)).toBe(false);
    expect(clean.endsWith('&r=1')).toBe(true);
  });
});

it('leaves a text without it as it is', () => {
  const text = `/v1/labels?q=%41&r=${base64('something else that is long enough')}`;
  expect([holdsSecret(text, secret), withoutSecret(text, secret)]).toEqual([false, text]);
});

it('takes the beginning of a secret off the end of a text that was cut', () => {
  expect(withoutBeginningOf(secret, `body ${secret.slice(0, 12)}`)).toBe('body ');
  expect(withoutBeginningOf(secret, 'body')).toBe('body');
});
