import { expect, it } from 'vitest';
import { rules } from '../../../../spec/rules.ts';
import { renderRulesPage } from './rules-page.ts';

it('has every rule once', () => {
  const page = renderRulesPage(rules);
  for (const { id } of rules) expect(page.split(`\`${id}\``)).toHaveLength(2);
});
