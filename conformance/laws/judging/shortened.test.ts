import { expect, test } from 'vitest';
import { differenceIn, shortened } from './shortened.ts';

test('a text is shortened in the middle, and what differs stays', () => {
  const alike = (name: string) => `{"id":"1","name":"${'n'.repeat(30)}","tenant":"${name}","more":"${'m'.repeat(30)}"}`;
  const at = differenceIn(alike('globex'), ['other', alike('acme')]);
  expect(shortened(alike('globex'), 40, at)).toBe('{"id":"1","name":"nn…nt":"globex","more":…');
  expect(shortened(alike('globex'), 40)).toBe('{"id":"1","name":"nn…mmmmmmmmmmmmmmmmmm"}');
  expect(shortened(alike('globex'), 41, 3)).toBe('{"id":"1","name":"nnnnnnnnnnnnnnnnnnnnnnn…');
  expect(shortened('short', 40, 3)).toBe('short');
});
