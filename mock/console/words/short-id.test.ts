import { expect, it } from 'vitest';
import { shortId, withShortIds } from './short-id.ts';

it.each([
  ['c0000001-0000-4000-8000-00000000a001', '…a001'],
  ['ovaid-517e0001-0000-4000-8000-000000000002', '…0002'],
  ['10042', '10042'],
  ['', ''],
  ['<img src=x>', '<img src=x>'],
])('%s: %s', (id, short) => {
  expect(shortId(id)).toBe(short);
});

it('shortens the ids in a path', () => {
  expect(withShortIds('/v1/site/10042/label/1abe1008-0000-4000-8000-000000000008?x=1')).toBe(
    '/v1/site/10042/label/…0008?x=1',
  );
});
