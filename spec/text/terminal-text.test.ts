import { expect, it } from 'vitest';
import { terminalLine, terminalText } from './terminal-text.ts';

it('removes everything that moves the cursor, sets a title or changes the direction of text', () => {
  const text = 'a\u001b[2Jb\u009b1mc\u0007d\u001b]0;title\u0007e\rf\u202eg\u2066h\u2028i\u007fj';
  expect(terminalText(text)).toBe('a�[2Jb�1mc�d�]0;title�e�f�g�h�i�j');
  expect(terminalText('a\n\tb é \u{1f600}')).toBe('a\n\tb é \u{1f600}');
});

it('keeps a text on one line, so that it looks like no other line and no command of a CI runner', () => {
  expect(terminalLine('no\r\n::error::x\n  conformant: all')).toBe('no� ⏎ ::error::x ⏎ conformant: all');
  expect(terminalLine('##[stop-commands]x')).toBe('# #[stop-commands]x');
});
