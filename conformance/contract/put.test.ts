import { expect, it } from 'vitest';
import { type Exchange, notReached } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { judgeReply, signOf } from './reply.ts';

const demand = { rule: 'upload/put-accepts-bytes', succeeds: true } as const;
const put = (change: Partial<Exchange>) => {
  const whole = { demand, status: 200, failure: null, body: null, url: 'https://store.example/a?sig=REDACTED' };
  return { ...whole, requestHeaders: { 'content-type': 'a/b' }, requestBytes: 10, ...change } as Exchange;
};
const reset = { status: null, failure: 'read ECONNRESET' };
const xml = (code: string, message: string) => `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;

it.each<[string, Partial<Exchange>, readonly string[]]>([
  ['bytes that are taken', {}, []],
  ['a wrong signature', { status: 403, body: xml('SignatureDoesNotMatch', 'It does not match.') }, ['wrong reply']],
  ['a redirect', { status: 307 }, ['wrong reply']],
  ['a key that is wanted', { status: 401, body: '{"message":"missing header x-api-key"}' }, ['wrong reply']],
  ['a store that breaks', { status: 500 }, ['no usable reply']],
  ['a connection that a large file ends', { ...reset, requestBytes: 2e7 }, ['no usable reply']],
  [
    'expired bytes that are taken',
    { demand: { rule: 'upload/expired-url-is-refused', succeeds: false } },
    ['wrong reply'],
  ],
])('%s: %j', (_, change, signs) => {
  expect(
    judgeReply(put(change), {} as Deployment).flatMap(({ says }) => (says === 'kept' ? [] : [signOf(put(change))])),
  ).toEqual(signs);
});

it.each<[string, Partial<Exchange>, string]>([
  ['a host that this machine does not know', { status: null, failure: `${notReached}store: ENOTFOUND` }, 'ENOTFOUND'],
  ['a network too slow', { status: null, failure: 'no reply within 30000 ms', requestBytes: 2e7 }, '30000'],
  ['a connection that ends', reset, 'ECONNRESET'],
  ['a header of Azure', { status: 400, body: xml('MissingRequiredHeader', 'A header is missing.') }, 'upload.headers'],
  [
    'a header that is signed',
    { status: 403, url: 'https://store.example/a?X-Amz-SignedHeaders=content-type%3Bhost%3Bx-amz-acl' },
    'the storage wants x-amz-acl of every PUT',
  ],
])('of %s nothing can be told', (_, change, words) => {
  expect(judgeReply(put(change), {} as Deployment)).toMatchObject([
    { says: 'unclear', observed: expect.stringContaining(words) },
  ]);
});

it('a large file whose connection is reset, in any words, was not too slow', () => {
  const lost = put({ status: null, failure: 'connection reset', requestBytes: 2e7 });
  expect(judgeReply(lost, {} as Deployment)).toMatchObject([{ says: 'suspected' }]);
});
