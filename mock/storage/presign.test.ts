import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { presignPut, verifyPut } from './presign.ts';

const secret = 'example-secret';
const now = Date.parse('2026-11-21T10:00:00.700Z');
const put = { url: 'http://127.0.0.1:4010/storage/acme/0f0e', contentType: 'image/png', now };

interface Change {
  readonly contentType?: string;
  readonly host?: string;
  readonly now?: number;
}

function verified(given: string, change: Change = {}) {
  const { origin, pathname, searchParams, host } = new URL(given);
  const url = origin.replace(host, change.host ?? host) + pathname;
  return verifyPut({ url, contentType: 'image/png', now, ...change }, searchParams, secret);
}

describe('an upload URL', () => {
  it.each([
    ['http://127.0.0.1:4010', 'image/png'],
    ['https://files.example.com', 'text/plain; charset=utf-8'],
    ['http://[::1]:8080', 'a/b'],
  ])('at %s for %s has the signature that the documentation of S3 describes', async (origin, contentType) => {
    const url = new URL((await presignPut({ ...put, url: `${origin}/storage/acme/0f0e`, contentType }, secret)).url);
    const signature = url.searchParams.get('X-Amz-Signature');
    url.searchParams.delete('X-Amz-Signature');
    const query = [...url.searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).sort();
    const headers = [`content-type:${contentType}`, `host:${url.host}`, '', 'content-type;host'];
    const request = ['PUT', url.pathname, query.join('&'), ...headers, 'UNSIGNED-PAYLOAD'].join('\n');
    const scope = ['20261121', 'local', 's3', 'aws4_request'];
    const hash = createHash('sha256').update(request).digest('hex');
    const text = ['AWS4-HMAC-SHA256', '20261121T100000Z', scope.join('/'), hash].join('\n');
    const hmac = (key: string | Buffer, part: string) => createHmac('sha256', key).update(part).digest();
    const key = scope.reduce<string | Buffer>(hmac, `AWS4${secret}`);
    expect(signature).toBe(hmac(key, text).toString('hex'));
  });

  it('is valid for exactly 300 seconds from the whole second of issue', async () => {
    const { url, expiresAt } = await presignPut(put, secret);
    expect(new Date(expiresAt).toISOString()).toBe('2026-11-21T10:05:00.000Z');
    expect(await verified(url, { now: expiresAt - 1 })).toBeNull();
    expect(await verified(url, { now: expiresAt })).toMatchObject({
      code: 'AccessDenied',
      message: 'Request has expired',
      details: { Expires: '2026-11-21T10:05:00.000Z' },
    });
  });

  it.each([
    ['another content type', (url: string) => verified(url, { contentType: 'image/jpeg' })],
    ['a content type that only starts alike', (url: string) => verified(url, { contentType: 'image/png; charset=x' })],
    ['no content type', (url: string) => verified(url, { contentType: '' })],
    ['another host', (url: string) => verified(url, { host: 'elsewhere:4010' })],
    ['another path', (url: string) => verified(url.replace('0f0e', '0f0f'))],
    ['a longer life', (url: string) => verified(url.replace('Expires=300', 'Expires=3600'))],
    ['a later date', (url: string) => verified(url.replace('T100000Z', 'T110000Z'))],
    ['another parameter', (url: string) => verified(`${url}&x=1`)],
    ['a parameter twice', (url: string) => verified(`${url}&X-Amz-Expires=300`)],
    ['another key', (url: string) => verified(url.replace('PARTNERKITMOCK', 'OTHERKEY'))],
    ['a signature cut short', (url: string) => verified(url.slice(0, -1))],
  ])('does not fit %s', async (_, verify) => {
    const { url } = await presignPut(put, secret);
    expect((await verify(url))?.code).toBe('SignatureDoesNotMatch');
  });

  it.each(['X-Amz-Date', 'X-Amz-Signature', 'X-Amz-Credential'])('is refused without %s', async (name) => {
    const url = new URL((await presignPut(put, secret)).url);
    url.searchParams.delete(name);
    expect((await verified(url.href))?.code).toBe('AccessDenied');
  });

  it.each([
    ['X-Amz-Date', 'yesterday'],
    ['X-Amz-Expires', 'soon'],
    ['X-Amz-Expires', '-5'],
    ['X-Amz-Algorithm', 'NONE'],
  ])('is refused with %s=%s', async (name, value) => {
    const url = new URL((await presignPut(put, secret)).url);
    url.searchParams.set(name, value);
    expect((await verified(url.href))?.code).toBe('SignatureDoesNotMatch');
  });

  it('says which part is another one', async () => {
    const { url } = await presignPut(put, secret);
    const change = (change: Change, given = url) => {
      const { searchParams } = new URL(given);
      return verifyPut({ ...put, ...change }, searchParams, secret, put.contentType)?.details;
    };
    expect(change({ contentType: 'image/jpeg' })).toEqual({
      ContentType: 'image/jpeg',
      SignedContentType: 'image/png',
    });
    expect(change({}, `${url}&x=1`)).toEqual({ Changed: 'x' });
    expect(change({}, url.replace('PARTNERKITMOCK', 'OTHERKEY'))).toEqual({ Changed: 'X-Amz-Credential' });
    expect(change({}, url.replace('X-Amz-Date', 'Date'))).toEqual({ Missing: 'X-Amz-Date' });
    expect(change({}, url.slice(0, -1))).toEqual({});
  });

  it('is refused with a second signature', async () => {
    const { url } = await presignPut(put, secret);
    expect((await verified(`${url}&X-Amz-Signature=0`))?.code).toBe('SignatureDoesNotMatch');
  });

  it('of another mock is refused', async () => {
    const { url } = await presignPut(put, 'another');
    expect((await verified(url))?.code).toBe('SignatureDoesNotMatch');
  });
});
