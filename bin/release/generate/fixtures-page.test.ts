import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { renderFixturesPage } from './fixtures-page.ts';

it('fixtures/README.md is what the schema says; npm run generate brings it up to date', () => {
  expect(readFileSync(new URL('../../../fixtures/README.md', import.meta.url), 'utf8')).toBe(renderFixturesPage());
});
