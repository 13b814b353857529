import { expect, test } from 'vitest';
import { substituteEnvironment } from './environment.ts';

test('replaces every variable of every text, at every depth, and nothing else', () => {
  const value = { a: [`\${A}-\${B}`, 1, null, true], '\u0024{A}': `$A \${1} \${}` };
  expect(substituteEnvironment(value, { A: 'a', B: '' })).toEqual({
    value: { a: ['a-', 1, null, true], '\u0024{A}': `$A \${1} \${}` },
    missing: [],
    whole: [],
  });
});

test('keeps references to unset variables, and lists them with their places', () => {
  expect(substituteEnvironment({ a: ['x', `\${A}/\${B}`] }, { B: 'b' })).toEqual({
    value: { a: ['x', `\${A}/b`] },
    missing: [{ path: ['a', 1], name: 'A' }],
    whole: [],
  });
});

test('names the texts that are nothing but a variable', () => {
  const { whole } = substituteEnvironment({ a: `\${A}`, b: [`\${A}\${A}`, `x\${A}`] }, { A: 'a' });
  expect(whole).toEqual([{ path: ['a'], name: 'A' }]);
});
