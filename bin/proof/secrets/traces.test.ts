import { expect, it } from 'vitest';
import { forms } from '../../../spec/proof/secret-forms.ts';
import { traceFinder } from './traces.ts';

const secret = 'cnry0001-a1"b2\\c3<d4>e5&f6%g7+h8/i9=0123456789abcdef';

const tracesIn = traceFinder([secret]);

it.each([
  ['as it is', secret],
  ['its beginning, one character more than the portal shows', secret.slice(0, 9)],
  ['its end', secret.slice(-9)],
  ['percent-encoded in a URL', `https://host/?key=${encodeURIComponent(secret)}&more`],
  ['in JSON', JSON.stringify({ message: secret })],
  ['in JSON within JSON', JSON.stringify({ message: JSON.stringify({ secret }) })],
  [
    'in HTML',
    `<p>${secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')}</p>`,
  ],
  ['in Base64', Buffer.from(secret).toString('base64')],
  ['in Base64 behind something else', `Basic ${Buffer.from(`user:${secret}`).toString('base64')}`],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
])('finds a secret %s', (_, text) => {
  expect(tracesIn(`before ${text} after`)).not.toEqual([]);
});

it.each(Object.entries(forms))('finds a secret %s, as a deployment may repeat it', (_, write) => {
  expect(tracesIn(`before ${write(secret)} after`)).not.toEqual([]);
  expect(tracesIn(`before ${write('-'.repeat(secret.length))} after`)).toEqual([]);
});

it('finds nothing in the eight characters that the portal shows, nor in the hash', () => {
  expect(tracesIn('key cnry0001…, 5f4dcc3b5aa765d61d8327deb882cf99')).toEqual([]);
});
