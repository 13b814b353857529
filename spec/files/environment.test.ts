import { expect, test } from 'vitest';
import { looksLikeVariable, substituteEnvironment } from './environment.ts';

test('replaces every variable of every text, at every depth, and nothing else', () => {
  const value = { a: [`\${A}-\${B}`, 1, null, true], '\u0024{A}': `$A \${1} \${}` };
  expect(substituteEnvironment(value, { A: 'a', B: '' })).toEqual({
    value: { a: ['a-', 1, null, true], '\u0024{A}': `$A \${1} \${}` },
    missing: [],
    whole: [],
    mistaken: [],
  });
});

test('keeps references to unset variables, and lists them with their places', () => {
  expect(substituteEnvironment({ a: ['x', `\${A}/\${B}`] }, { B: 'b' })).toEqual({
    value: { a: ['x', `\${A}/b`] },
    missing: [{ path: ['a', 1], name: 'A' }],
    whole: [],
    mistaken: [],
  });
});

test('names the texts that are nothing but a variable', () => {
  const { whole } = substituteEnvironment({ a: `\${A}`, b: [`\${A}\${A}`, `x\${A}`] }, { A: 'a' });
  expect(whole).toEqual([{ path: ['a'], name: 'A' }]);
});

test.each([
  '\u0024{ACME_KEY}',
  '$ACME_KEY',
  '\u0024{ACME_KEY:-x}',
  '\u0024{ACME_KEY-}',
  '\u0024{ACME_KEY:?unset}',
  'https://\u0024{ACME_KEY:-host}/api',
  '\u0024{ ACME_KEY }',
  '\u0024{env:ACME_KEY}',
  '\u0024{{ secrets.ACME_KEY }}',
  '{{ACME_KEY}}',
  '{{ .Values.ACME_KEY }}',
  '$(ACME_KEY)',
  '%ACME_KEY%',
  'Bearer $ACME_KEY',
])('%s is probably meant as a variable', (text) => {
  expect(looksLikeVariable(text)).toBe(true);
});

test.each(['$2b$10$N9qo8uLOickgx2', '$ecret', 'pa$$WORD', '100%', '%41%42', 'a$B', '{}', '$'])(
  '%s is meant as it is',
  (text) => {
    expect(looksLikeVariable(text)).toBe(false);
  },
);
