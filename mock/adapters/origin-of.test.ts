import { expect, it } from 'vitest';
import { forwardedOrigin, isHost, originOf, splitTarget } from './origin-of.ts';

it('is taken from the Host header', () => {
  expect(originOf('https', 'api.example.com:8443', 'http://x')).toBe('https://api.example.com:8443');
});

it.each([undefined, '', '[bad', 'a b', 'x:99999'])('falls back where the Host header is %j', (host) => {
  expect(originOf('http', host, 'http://127.0.0.1:4010')).toBe('http://127.0.0.1:4010');
});

it.each(['x', 'my_mock:4010', 'api.example.com', '127.0.0.1:80', '[::1]', '[::1]:4010', 'x:'])(
  '%s is a host',
  (host) => {
    expect(isHost(host)).toBe(true);
  },
);

it.each([
  '',
  ' ',
  'a b',
  'x/y',
  'x?y',
  'x#y',
  'u@x',
  '[bad',
  '[::1',
  'x:99999',
  'x:y',
  'http://x',
  'x, y',
  'é',
  'x\\y',
  '%zz',
])('%j is no host', (host) => {
  expect(isHost(host)).toBe(false);
});

it.each([
  ['/v1/labels?a=http://x', '/v1/labels?a=http://x', null],
  ['http://X.example/v1', '/v1', 'http://x.example'],
  ['https://u:p@x:443/v1?a', '/v1?a', 'https://x'],
  ['http://x', '/', 'http://x'],
  ['http://x?a', '/?a', 'http://x'],
  ['http://[bad/v1', '/v1', null],
  ['*', '*', null],
])('the target %s is %s at %s', (target, path, origin) => {
  expect(splitTarget(target)).toEqual({ path, origin });
});

it.each([
  [{}, 'http://in:1'],
  [{ 'x-forwarded-proto': 'https' }, 'https://in:1'],
  [{ 'x-forwarded-proto': 'HTTPS, http', 'x-forwarded-host': 'out, in' }, 'https://out'],
  [{ 'x-forwarded-prefix': '/partner/' }, 'http://in:1/partner'],
  [{ forwarded: 'for=1.2.3.4;proto=https;host="out:8443", host=in' }, 'https://out:8443'],
  [{ forwarded: 'Host=out; Proto=https', 'x-forwarded-host': 'other' }, 'https://out'],
  // What is no host, scheme or path is left out.
  [{ 'x-forwarded-host': 'out/evil', 'x-forwarded-proto': 'ftp', 'x-forwarded-prefix': '//evil' }, 'http://in:1'],
  [{ 'x-forwarded-host': 'u@out', 'x-forwarded-prefix': '/a?b' }, 'http://in:1'],
])('a proxy that says %j was reached at %s', (headers, origin) => {
  expect(forwardedOrigin('http://in:1', headers)).toBe(origin);
});
