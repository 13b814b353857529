import { AwsV4Signer } from 'aws4fetch';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presignPut, verifyPut } from './presign.ts';

const credentials = { accessKeyId: 'EXAMPLEKEY', secretAccessKey: 'example-secret' };
const now = Date.parse('2026-11-21T10:00:00.700Z');
const put = { origin: 'http://127.0.0.1:4010', path: '/storage/acme/0f0e', contentType: 'image/png', now };

function asRequest(url: string, change: { contentType?: string; host?: string; now?: number } = {}) {
  const { pathname, searchParams, host } = new URL(url);
  return { path: pathname, query: searchParams, contentType: 'image/png', host, now, ...change };
}

describe('an upload URL', () => {
  it('has the signature that an independent implementation makes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[a-z]+\/[a-z0-9.+-]+(; charset=[a-z0-9-]+)?$/),
        fc.integer({ min: 0, max: 4e12 }),
        fc.constantFrom('http://127.0.0.1:4010', 'https://files.example.com', 'http://[::1]:80'),
        async (contentType, at, origin) => {
          const { url } = presignPut({ ...put, origin, contentType, now: at }, credentials);
          const unsigned = new URL(url);
          const date = unsigned.searchParams.get('X-Amz-Date') ?? '';
          unsigned.search = '?X-Amz-Expires=300';
          const signer = new AwsV4Signer({
            ...credentials,
            method: 'PUT',
            url: unsigned.href,
            headers: { 'content-type': contentType },
            service: 's3',
            region: 'local',
            datetime: date,
            signQuery: true,
            allHeaders: true,
          });
          const theirs = (await signer.sign()).url.searchParams;
          expect(Object.fromEntries(new URL(url).searchParams)).toEqual(Object.fromEntries(theirs));
        },
      ),
    );
  });

  it('is valid for exactly 300 seconds from the whole second of issue', () => {
    const { url, expiresAt } = presignPut(put, credentials);
    expect(new Date(expiresAt).toISOString()).toBe('2026-11-21T10:05:00.000Z');
    expect(verifyPut(asRequest(url, { now: expiresAt - 1 }), credentials)).toBeNull();
    expect(verifyPut(asRequest(url, { now: expiresAt }), credentials)).toMatchObject({
      code: 'AccessDenied',
      message: 'Request has expired',
      details: { Expires: '2026-11-21T10:05:00.000Z' },
    });
  });

  it.each([
    ['another content type', (url: string) => asRequest(url, { contentType: 'image/jpeg' })],
    ['a content type that only starts alike', (url: string) => asRequest(url, { contentType: 'image/png; charset=x' })],
    ['no content type', (url: string) => asRequest(url, { contentType: '' })],
    ['another host', (url: string) => asRequest(url, { host: 'elsewhere:4010' })],
    ['another path', (url: string) => asRequest(url.replace('0f0e', '0f0f'))],
    ['a longer life', (url: string) => asRequest(url.replace('Expires=300', 'Expires=3600'))],
    ['a later date', (url: string) => asRequest(url.replace('T100000Z', 'T110000Z'))],
    ['another parameter', (url: string) => asRequest(`${url}&x=1`)],
    ['a signature cut short', (url: string) => asRequest(url.slice(0, -1))],
  ])('does not fit %s', (_, request) => {
    const { url } = presignPut(put, credentials);
    expect(verifyPut(request(url), credentials)?.code).toBe('SignatureDoesNotMatch');
  });

  it.each(['X-Amz-Date', 'X-Amz-Signature', 'X-Amz-Credential'])('is refused without %s', (name) => {
    const url = new URL(presignPut(put, credentials).url);
    url.searchParams.delete(name);
    expect(verifyPut(asRequest(url.href), credentials)?.code).toBe('AccessDenied');
  });

  it.each([
    ['X-Amz-Date', 'yesterday'],
    ['X-Amz-Expires', 'soon'],
    ['X-Amz-Expires', '-5'],
    ['X-Amz-Algorithm', 'NONE'],
  ])('is refused with %s=%s', (name, value) => {
    const url = new URL(presignPut(put, credentials).url);
    url.searchParams.set(name, value);
    expect(verifyPut(asRequest(url.href), credentials)?.code).toBe('AuthorizationQueryParametersError');
  });

  it('is refused with a second signature', () => {
    const { url } = presignPut(put, credentials);
    expect(verifyPut(asRequest(`${url}&X-Amz-Signature=0`), credentials)?.code).toBe(
      'AuthorizationQueryParametersError',
    );
  });

  it('of another mock is refused', () => {
    const { url } = presignPut(put, { ...credentials, secretAccessKey: 'another' });
    expect(verifyPut(asRequest(url), credentials)?.code).toBe('SignatureDoesNotMatch');
  });
});
