import { expect, it } from 'vitest';
import { originOf } from './origin-of.ts';

it('is taken from the Host header', () => {
  expect(originOf('https', 'api.example.com:8443', 'http://x')).toBe('https://api.example.com:8443');
});

it.each([undefined, '', '[bad', 'a b', 'x:99999'])('falls back where the Host header is %j', (host) => {
  expect(originOf('http', host, 'http://127.0.0.1:4010')).toBe('http://127.0.0.1:4010');
});
