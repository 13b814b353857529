import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rules } from '../../../spec/rules.ts';
import { renderRulesPage } from './rules-page.ts';

it('RULES.md is what rules.yaml says; npm run generate brings it up to date', () => {
  expect(readFileSync(new URL('../../../spec/RULES.md', import.meta.url), 'utf8')).toBe(renderRulesPage(rules));
});

it('has every rule once', () => {
  const page = renderRulesPage(rules);
  for (const { id } of rules) expect(page.split(`\`${id}\``)).toHaveLength(2);
});
