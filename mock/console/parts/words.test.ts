import { expect, it } from 'vitest';
import * as words from './words.ts';

type Write = (value: never) => string;

it.each<[Write, unknown, string]>([
  [words.describeOffset, -1_500, '1.5 s behind'],
  [words.describeOffset, 3_900_000, '1 h 5 min ahead'],
  [words.describeAge, 400, 'just now'],
  [words.describeAge, 2_600, '2 s ago'],
  [words.describeAge, 3_900_000, '1 h ago'],
  [words.describeAge, -90_000, 'in 1 min'],
  [words.describeWait, null, 'at once'],
  [words.describeWait, 96, 'in 0.1 s'],
  [words.describeWait, 600_000, 'in 10 min'],
  [words.describeSize, 999, '999 bytes'],
  [words.describeSize, 1_000, '1.00 kB'],
  [words.describeSize, 10_485_760, '10.5 MB'],
  [words.shortId, 'c0000001-0000-4000-8000-00000000a001', '…a001'],
  [words.shortId, 'ovaid-517e0001-0000-4000-8000-000000000002', '…0002'],
  [words.shortId, '<img src=x>', '<img src=x>'],
  [
    words.withShortIds,
    '/v1/site/10042/label/1abe1008-0000-4000-8000-000000000008?x=1',
    '/v1/site/10042/label/…0008?x=1',
  ],
])('%o writes %j as %s', (write, value, text) => {
  expect(write(value as never)).toBe(text);
});
