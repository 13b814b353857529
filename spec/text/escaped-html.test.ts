import { expect, it } from 'vitest';
import { escaped } from './escaped-html.ts';

it('leaves no character that could end a text or an attribute', () => {
  expect(escaped(`<a href="x" title='y'>&amp;`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;');
});
