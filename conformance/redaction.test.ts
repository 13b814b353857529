import { expect, it } from 'vitest';
import { createRedaction, keyPlaceholder } from './redaction.ts';

const redaction = createRedaction();
redaction.add('se+cr/et="1"', '$ACME_KEY');
redaction.add('se+cr/et', '$OTHER_KEY');

it.each([
  ['as it is', 'key se+cr/et="1" here', 'key $ACME_KEY here'],
  ['percent-encoded', `?key=${encodeURIComponent('se+cr/et="1"')}`, '?key=$ACME_KEY'],
  ['within JSON', JSON.stringify({ key: 'se+cr/et="1"' }), '{"key":"$ACME_KEY"}'],
  ['as Base64', `Basic ${btoa('se+cr/et="1"')}`, 'Basic $ACME_KEYi'],
  ['one that another begins with', 'se+cr/et', '$OTHER_KEY'],
])('replaces a secret: %s', (_, text, clean) => {
  expect(redaction.apply(text)).toBe(clean);
});

it.each(['&', '\\u0026', '&amp;'])('replaces what signs a presigned URL, joined with %s', (and) => {
  const url = ['https://s.example/f?X-Amz-Date=1', 'X-Amz-Credential=abc%2Fs3', 'X-Amz-Signature=0af'].join(and);
  const clean = redaction.apply(`{"uploadUrl":"${url}"}`);
  expect(clean).not.toMatch(/abc|0af/);
  expect(clean).toContain('X-Amz-Date=1');
});

it('leaves readable what says how long a presigned URL lives', () => {
  const url =
    'https://s.example/f?X-Amz-Date=20260101T000000Z&X-Amz-Expires=300&X-Amz-SignedHeaders=content-type%3Bhost&Expires=1767225900&se=2026-01-01T00%3A05Z';
  expect(redaction.apply(url)).toBe(url);
});

it('leaves words alone that are too short to be secrets', () => {
  redaction.add('live', '$X');
  expect(redaction.apply('live')).toBe('live');
});

it('names keys as environment variables are named', () => {
  expect(keyPlaceholder('acme', 'only-site.write')).toBe('$ACME_ONLY_SITE_WRITE_KEY');
});
