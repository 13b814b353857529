import { expect, it } from 'vitest';
import { driftOf, driftText } from './drift.ts';

it('distinguishes answers that changed, that were not seen, and that are new', () => {
  const drift = driftOf(
    {
      observed: { at: '2026-01-01T00:00:00Z', target: 'http://a', kit: '1' },
      errors: { 'unknown-path': { status: 404, code: 'GONE' }, 'too-large': { status: 413 } },
    },
    {
      observed: { at: '2026-02-02T00:00:00Z', target: 'http://b', kit: '2' },
      errors: { 'unknown-path': { status: 404, code: 'NOT_FOUND' }, 'no-key': { status: 403 } },
    },
  );
  expect(driftText(drift)).toBe(
    [
      'Changed\n  errors.unknown-path.code: recorded GONE, now NOT_FOUND\n',
      'Not seen this time\n  errors.too-large.status: recorded 413\n',
      'Not recorded\n  errors.no-key.status: 403\n',
      '1 recorded answer as before, 1 changed, 1 not seen this time\n',
    ].join('\n'),
  );
});
