import { expect, it } from 'vitest';
import { storageReason } from './storage-reason.ts';

const s3 = (code: string, message: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message><HostId>x</HostId></Error>`;

it.each([
  ['S3', s3('AccessDenied', 'Request has expired'), 'AccessDenied: Request has expired'],
  [
    'Azure',
    '\uFEFF<?xml version="1.0"?><Error><Code>MissingRequiredHeader</Code><Message>A mandatory header is missing.\nRequestId:1\nTime:2</Message><HeaderName>x-ms-blob-type</HeaderName></Error>',
    'MissingRequiredHeader: A mandatory header is missing.',
  ],
  ['JSON of Google', '{"error":{"code":403,"message":"No access."}}', 'No access.'],
  ['other JSON', '{"error":"InvalidSignature","message":"bad"}', 'bad'],
  ['plain JSON', '{"error":"invalid token"}', 'invalid token'],
  ['a plain text', 'Upload too large\nline 2', 'Upload too large'],
])('takes the reason of %s', (_, body, reason) => {
  expect(storageReason(body)).toEqual([reason]);
});

it.each(['', ' ', '<html><body>502</body></html>', '{}', '"x', '[1]'])('finds none in %j', (body) => {
  expect(storageReason(body)).toEqual([]);
});

it('leaves out what may be a signature, and all but the beginning of a long text', () => {
  const signature = '0a1b2c3d'.repeat(8);
  const [text = ''] = storageReason(
    s3(
      'SignatureDoesNotMatch',
      `https://x/y?X-Amz-Signature=${signature} and ${signature} differ, ${'so '.repeat(300)}`,
    ),
  );
  expect(text).toMatch(/^SignatureDoesNotMatch: https:\/\/x\/y\?… and … differ/);
  expect(text).toHaveLength(200);
});
