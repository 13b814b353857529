import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../create-mock.ts';
import { acme } from '../proof/acme.ts';
import { contractClient } from '../proof/contract-client.ts';
import { memoryFiles } from './files.ts';

const bytes = '123456789';
const digest = (algorithm: string, text = bytes) => createHash(algorithm).update(text).digest('base64');

/** An upload that was just started on a mock, and how to send its bytes. */
async function started(options: MockOptions = {}) {
  const mock = await createMock({ rateLimit: false, files: memoryFiles(), ...options });
  const client = contractClient(mock, acme.full);
  const params = { id: acme.site };
  const { uploadUrl, fileKey } = (await client.call('startSiteFileUpload', { params, body: { contentType: 'a/b' } }))
    .body;
  const { pathname, search } = new URL(uploadUrl);
  const put = async (headers: Record<string, string>, body: string | null = bytes) => {
    const reply = await mock.handle({
      method: 'PUT',
      url: pathname + search,
      origin: 'http://mock.test',
      headers: { host: 'mock.test', 'content-type': 'a/b', ...headers },
      body: body === null ? null : new Blob([body]).stream(),
    });
    return [reply.status, /<Code>(\w+)/.exec(reply.body ?? '')?.[1] ?? null];
  };
  return { mock, fileKey, put };
}

let mock: Mock;
let fileKey: string;
let put: Awaited<ReturnType<typeof started>>['put'];
beforeEach(async () => {
  ({ mock, fileKey, put } = await started());
});

describe('a strict store, as S3 and Google Cloud Storage are', () => {
  it.each([
    ['a chunked body', { 'transfer-encoding': 'chunked' }, 501, 'NotImplemented'],
    ['a part of a file', { 'content-range': 'bytes 0-8/20' }, 501, 'NotImplemented'],
    ['a second authentication', { authorization: 'Bearer x' }, 400, 'InvalidArgument'],
    ['a header of the store that is not signed', { 'x-amz-acl': 'public-read' }, 403, 'AccessDenied'],
    ['metadata that is not signed', { 'x-amz-meta-name': 'a' }, 403, 'AccessDenied'],
    ['a header of Google that is not signed', { 'x-goog-acl': 'public-read' }, 403, 'AccessDenied'],
    ['a signed body', { 'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' }, 403, 'AccessDenied'],
    ['a right checksum that is not signed', { 'x-amz-checksum-sha256': digest('sha256') }, 403, 'AccessDenied'],
    ['a condition on what is not there', { 'if-match': '"0"' }, 404, 'NoSuchKey'],
    ['a condition that it does not know', { 'if-none-match': '"0"' }, 501, 'NotImplemented'],
  ])('refuses %s, and stores nothing', async (_, headers, status, code) => {
    expect(await put(headers)).toEqual([status, code]);
    expect(mock.files.get(fileKey)?.state).toBe('started');
  });

  it('refuses a PUT without a length, and takes an empty file with one', async () => {
    expect(await put({}, null)).toEqual([411, 'MissingContentLength']);
    expect(await put({ 'content-length': '0' }, null)).toEqual([200, null]);
  });

  it('takes what is signed, an MD5 that is right, and headers of others', async () => {
    expect(await put({ 'content-md5': digest('md5') })).toEqual([200, null]);
    expect(await put({ 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', 'x-amzn-trace-id': 'Root=1' })).toEqual([200, null]);
  });

  it('keeps a file that is there if the client asks for it', async () => {
    expect(await put({ 'if-none-match': '*' })).toEqual([200, null]);
    expect(await put({ 'if-none-match': '*' }, 'other')).toEqual([412, 'PreconditionFailed']);
    expect(await put({ 'if-match': '"0"' }, 'other')).toEqual([412, 'PreconditionFailed']);
    expect(mock.files.get(fileKey)?.size).toBe(bytes.length);
    expect(await put({ 'if-match': mock.files.get(fileKey)?.etag ?? '' }, 'other')).toEqual([200, null]);
  });
});

describe('Content-MD5', () => {
  it('is held against the bytes, in every kind of store', async () => {
    const [right, wrong] = [digest('md5'), digest('md5', 'other')];
    const lenient = await started({ profile: { upload: { store: 'lenient' } } });
    for (const to of [{ mock, fileKey, put }, lenient]) {
      expect(await to.put({ 'content-md5': wrong })).toEqual([400, 'BadDigest']);
      for (const value of ['', 'AA==', right.slice(0, -1), `${right} ${right}`, 'é'])
        expect(await to.put({ 'content-md5': value })).toEqual([400, 'InvalidDigest']);
      expect(to.mock.files.get(to.fileKey)?.state).toBe('started');
      expect(await to.put({ 'content-md5': right })).toEqual([200, null]);
    }
  });

  it('leaves the bytes that were there if it is wrong', async () => {
    expect(await put({})).toEqual([200, null]);
    expect(await put({ 'content-md5': digest('md5') }, 'other')).toEqual([400, 'BadDigest']);
    expect(new TextDecoder().decode(await mock.files.bytes(fileKey))).toBe(bytes);
  });
});

it('is as strict as the profile says', async () => {
  const chunked = { 'transfer-encoding': 'chunked' };
  const gcs = await started({ profile: { upload: { store: 'gcs' } } });
  expect(await gcs.put(chunked)).toEqual([200, null]);
  expect(await gcs.put({ 'x-amz-acl': 'private' })).toEqual([403, 'AccessDenied']);
  const lenient = await started({ profile: { upload: { store: 'lenient' } } });
  expect(await lenient.put({ ...chunked, 'x-amz-acl': 'private', authorization: 'Bearer x' })).toEqual([200, null]);
  expect(await lenient.put({}, null)).toEqual([200, null]);
});
