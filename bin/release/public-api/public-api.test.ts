import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folder, publicApi } from './public-api.ts';

// Slow, because two compilers read all types of the package.
const apis = await publicApi();

it.each(apis)('the report on partnerkit/$name is current; if not, run `npm run public-api`', ({ name, report }) => {
  expect(readFileSync(join(folder, `${name}.api.md`), 'utf8')).toBe(report);
});

it.each(apis)('partnerkit/$name exports what its exports need, described', ({ missing }) => {
  expect(missing).toEqual([]);
});
