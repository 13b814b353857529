import { expect, it } from 'vitest';
import { plainPath } from './paths.ts';

it('decodes letters, digits and -._~, whatever their case, and nothing else', () => {
  for (let code = 0; code < 256; code++) {
    const encoded = `%${code.toString(16).padStart(2, '0')}`;
    const letter = String.fromCharCode(code);
    const plain = /[A-Za-z0-9._~-]/.test(letter) ? letter : encoded;
    expect(plainPath(`/a/${encoded}?${encoded}`)).toBe(`/a/${plain}?${encoded}`);
    expect(plainPath(encoded.toUpperCase()).toLowerCase()).toBe(plain.toLowerCase());
  }
});

it.each(['/v1/%2561', '/v1/site/%2%35', '/v1/l%61%', '/v1/labels?x=%61'])('leaves %s alone', (url) => {
  expect(plainPath(url)).toBe(url);
});
