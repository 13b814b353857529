import { expect, test } from 'vitest';
import { wrapped } from './wrapped.ts';

test('lines end between words, and only where a terminal has columns', () => {
  const text = `word ${'another '.repeat(8)}end`;
  const lines = wrapped(text, '    ', { columns: 40 }).split('\n');
  expect(lines.every((line) => line.length <= 40)).toBe(true);
  expect(lines.slice(1).every((line) => /^ {4}\S/.test(line))).toBe(true);
  expect(lines.map((line) => line.trim()).join(' ')).toBe(text);
  for (const none of [undefined, 0]) expect(wrapped(text, '    ', { columns: none })).toBe(text);
});
