import { expect, it } from 'vitest';
import { withoutSignature } from './without-signature.ts';

it('leaves out the query that signs a URL, and no other', () => {
  expect(withoutSignature('curl -X PUT "$URL/storage/a?X-Amz-Date=1&X-Amz-Signature=2" -H \'a: b\'')).toBe(
    'curl -X PUT "$URL/storage/a?…" -H \'a: b\'',
  );
  expect(withoutSignature('/blob?se=1&sig=2')).toBe('/blob?…');
  expect(withoutSignature('/v1/labels?design=2')).toBe('/v1/labels?design=2');
});
