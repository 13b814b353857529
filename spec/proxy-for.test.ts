import { expect, it } from 'vitest';
import { proxyFor } from './proxy-for.ts';

const env = { HTTP_PROXY: 'http://plain:1', https_proxy: 'me:secret@secure:2' };

it.each([
  ['http://partner.example/v1', 'http://plain:1/'],
  ['https://partner.example/v1', 'http://me:secret@secure:2/'],
  ['HTTPS://partner.example/v1', 'http://me:secret@secure:2/'],
  ['http://localhost:4010', undefined],
  ['http://127.9.9.9', undefined],
  ['http://[::1]:80', undefined],
])('%s is reached through %s', (url, proxy) => {
  expect(proxyFor(url, env)?.href).toBe(proxy);
});

it.each([
  ['*', 'partner.example', true],
  ['partner.example', 'api.partner.example', true],
  ['.partner.example', 'api.partner.example', true],
  ['*.partner.example', 'API.partner.example', true],
  ['.partner.example', 'partner.example', false],
  ['partner.example', 'mypartner.example', false],
  ['other, partner.example', 'partner.example', true],
  ['partner.example:8443', 'partner.example:8443', true],
  ['partner.example:8443', 'partner.example', false],
  ['10.0.0.0/8', '10.2.3.4', true],
  ['10.0.0.0/8', '11.2.3.4', false],
  ['10.2.3.4', '10.2.3.4', true],
  ['fd00::/8', '[fd12::1]', true],
  ['[fd12::1]:443', '[fd12::1]', true],
  ['', 'partner.example', false],
])('NO_PROXY=%s covers %s: %s', (NO_PROXY, host, covered) => {
  expect(proxyFor(`https://${host}/`, { ...env, NO_PROXY }) === null).toBe(covered);
});

it('an empty variable is no proxy, and a proxy that speaks no HTTP is refused by the name of its variable', () => {
  expect(proxyFor('http://partner.example', { HTTP_PROXY: '' })).toBeNull();
  expect(() => proxyFor('http://partner.example', { HTTP_PROXY: 'socks5://me:secret@x:1' })).toThrow(
    /^HTTP_PROXY: must be the address of an HTTP proxy, such as http:\/\/proxy\.example:3128$/,
  );
});
