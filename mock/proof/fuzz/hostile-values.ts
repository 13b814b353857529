import fc from 'fast-check';

/** Texts on which parsers, paths, headers, logs and pages have broken before. */
const known = [
  '',
  '..',
  '../../etc/passwd',
  '%',
  '%zz',
  '\u0000',
  '\r\nx-injected: 1',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'null',
  '1e309',
  "' or '1'='1",
  '<script>alert(1)</script>',
  ']]>',
  '\ud800',
  '\u202egnp.exe',
  '\ufeff',
  'e\u0301',
  'İ',
  'a'.repeat(300),
  '%41'.repeat(100),
  'ovcid-',
  '00000000-0000-0000-0000-000000000000',
  'c0000001-0000-4000-8000-00000000000',
] as const;

/** Any text, the known troublemakers often. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...known) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
);

/** Any JSON value, small. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, false, 0, -0, 2 ** 53 + 2, 1e308, [], {}, [[[[]]]], { ['__proto__']: null }),
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Text that is not JSON, or only nearly, and JSON that few expect. */
export const hostileBody: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    'null',
    '{',
    '{"contentType":',
    '{"contentType":"a/b","contentType":1}',
    '{"__proto__":{"contentType":"a/b"}}',
    '\ufeff{"contentType":"a/b"}',
    '[['.repeat(200),
    `${'['.repeat(400)}${']'.repeat(400)}`,
    '{"fileKey":1e400}',
    'NaN',
  ),
  hostileText,
  hostileJson.map((value) => JSON.stringify(value)),
);

/** Text as the value of a header can be, once a server has read it: no control characters but the tab. */
export const headerText: fc.Arbitrary<string> = hostileText.map((text) =>
  text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?').trim(),
);
